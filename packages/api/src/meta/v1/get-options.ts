import * as t from '@coxswain/schema';

export const GetOptions = t.kind('meta/v1.GetOptions', 'meta.k8s.io/v1', undefined, {
  resourceVersion: t.optional(1, t.string),
});
export interface GetOptions extends t.Static<typeof GetOptions> {}
