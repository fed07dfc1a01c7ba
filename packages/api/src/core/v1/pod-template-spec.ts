import * as t from '@coxswain/schema';
import { PodSpec } from './pod-spec.ts';

export const PodTemplateSpec = t.struct('core/v1.PodTemplateSpec', {
  metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
  spec: t.optional(2, PodSpec),
});
export interface PodTemplateSpec extends t.Static<typeof PodTemplateSpec> {}
