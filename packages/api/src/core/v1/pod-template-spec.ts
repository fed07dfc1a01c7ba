import { ObjectMeta, optional, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { PodSpec } from './pod-spec.ts';

export const PodTemplateSpec = struct('core/v1.PodTemplateSpec', {
  metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
  spec: optional(2, PodSpec),
});
export interface PodTemplateSpec extends Static<typeof PodTemplateSpec> {}
