import { optional, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const NonResourceAttributes = struct('authorization/v1.NonResourceAttributes', {
  path: optional(1, string),
  verb: optional(2, string),
});
export interface NonResourceAttributes extends Static<typeof NonResourceAttributes> {}
