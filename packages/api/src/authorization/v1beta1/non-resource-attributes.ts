import * as t from '@coxswain/schema';

export const NonResourceAttributes = t.struct('authorization/v1beta1.NonResourceAttributes', {
  path: t.optional(1, t.string),
  verb: t.optional(2, t.string),
});
export interface NonResourceAttributes extends t.Static<typeof NonResourceAttributes> {}
