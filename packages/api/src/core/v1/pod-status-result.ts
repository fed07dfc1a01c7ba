import { kind, ObjectMeta, optional } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { PodStatus } from './pod-status.ts';

export const PodStatusResult = kind('core/v1.PodStatusResult', 'v1', undefined, {
  metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
  status: optional(2, PodStatus),
});
export interface PodStatusResult extends Static<typeof PodStatusResult> {}
