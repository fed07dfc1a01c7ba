import * as t from '@coxswain/schema';
import { PodStatus } from './pod-status.ts';

export const PodStatusResult = t.kind('core/v1.PodStatusResult', 'v1', undefined, {
  metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
  status: t.optional(2, PodStatus),
});
export interface PodStatusResult extends t.Static<typeof PodStatusResult> {}
