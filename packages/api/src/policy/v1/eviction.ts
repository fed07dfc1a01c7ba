import * as t from '@coxswain/schema';
import { DeleteOptions } from '../../meta/v1/options.ts';

export const Eviction = t.kind('policy/v1.Eviction', 'policy/v1', undefined, {
  metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
  deleteOptions: t.pointer(2, DeleteOptions.type),
});
export interface Eviction extends t.Static<typeof Eviction> {}
