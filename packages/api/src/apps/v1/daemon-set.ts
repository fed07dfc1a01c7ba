import * as t from '@coxswain/schema';
import {
  ageColumn,
  column,
  containerColumns,
  formatLabels,
  formatSelector,
  nameColumn,
  wideColumn,
} from '../../meta/columns.ts';
import { defaultDaemonSetStrategy, defaultTemplate } from '../workload-defaults.ts';
import { defaultTemplateGeneration, templateGenerationAnnotation } from '../template-generation.ts';
import { validateDaemonSet, validateDaemonSetStatus } from '../daemon-set-validation.ts';
import { daemonSetWarnings } from '../workload-warnings.ts';
import { DaemonSetSpec, DaemonSetStatus } from './daemon-set-spec.ts';

export const DaemonSet = t.kind(
  'apps/v1.DaemonSet',
  'apps/v1',
  { plural: 'daemonsets', shortNames: ['ds'], categories: ['all'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, DaemonSetSpec),
    status: t.optional(3, DaemonSetStatus),
  },
  {
    defaults: [defaultDaemonSetStrategy, defaultTemplate, defaultTemplateGeneration],
    validate: validateDaemonSet,
    validateStatus: validateDaemonSetStatus,
    warnings: daemonSetWarnings,
    annotationsOfFields: [templateGenerationAnnotation],
    columns: [
      nameColumn,
      column('Desired', ({ status }) => status?.desiredNumberScheduled ?? 0, 'integer'),
      column('Current', ({ status }) => status?.currentNumberScheduled ?? 0, 'integer'),
      column('Ready', ({ status }) => status?.numberReady ?? 0, 'integer'),
      column('Up-to-date', ({ status }) => status?.updatedNumberScheduled ?? 0, 'integer'),
      column('Available', ({ status }) => status?.numberAvailable ?? 0, 'integer'),
      column('Node Selector', ({ spec }) => formatLabels(spec.template?.spec?.nodeSelector)),
      ageColumn,
      ...containerColumns(({ spec }: { spec: DaemonSetSpec }) => spec.template?.spec?.containers),
      wideColumn('Selector', ({ spec }) => formatSelector(spec.selector)),
    ],
  },
);
export interface DaemonSet extends t.Static<typeof DaemonSet> {}
