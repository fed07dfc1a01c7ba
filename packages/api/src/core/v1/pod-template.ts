import { kind, ObjectMeta, optional } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { PodTemplateSpec } from './pod-template-spec.ts';
import { defaultPodTemplate } from './pod-defaults.ts';
import { nameColumn, containerColumns, column, formatLabels } from '../../meta/columns.ts';

export const PodTemplate = kind(
  'core/v1.PodTemplate',
  'v1',
  { plural: 'podtemplates', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    template: optional(2, PodTemplateSpec),
  },
  {
    defaults: [({ template }) => defaultPodTemplate(template)],
    columns: [
      nameColumn,
      ...containerColumns(({ template }: { template: PodTemplateSpec }) => template?.spec?.containers).map(
        ({ priority: _, ...shown }) => shown,
      ),
      column('Pod Labels', ({ template }) => formatLabels(template?.metadata?.labels)),
    ],
  },
);
export interface PodTemplate extends Static<typeof PodTemplate> {}
