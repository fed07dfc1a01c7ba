import { kind, ObjectMeta, optional } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { PodTemplateSpec } from './pod-template-spec.ts';

export const PodTemplate = kind(
  'core/v1.PodTemplate',
  'v1',
  { plural: 'podtemplates', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    template: optional(2, PodTemplateSpec),
  },
);
export interface PodTemplate extends Static<typeof PodTemplate> {}
