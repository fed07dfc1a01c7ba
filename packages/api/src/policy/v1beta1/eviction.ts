import { kind, ObjectMeta, optional, pointer } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { DeleteOptions } from '../../meta/v1/delete-options.ts';

export const Eviction = kind('policy/v1beta1.Eviction', 'policy/v1beta1', undefined, {
  metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
  deleteOptions: pointer(2, DeleteOptions.type),
});
export interface Eviction extends Static<typeof Eviction> {}
