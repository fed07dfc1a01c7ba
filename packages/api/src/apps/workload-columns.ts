/** Tables of workloads in all versions of the groups apps and extensions. */

import type { Column } from '@coxswain/schema';
import {
  ageColumn,
  column,
  containerColumns,
  formatLabels,
  formatSelector,
  nameColumn,
  wideColumn,
} from '../meta/columns.ts';
import { labelSelectorFromSpec } from '@coxswain/apimachinery';
import type { PodTemplateSpec } from '../core/v1/pod-template-spec.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import type { LabelSelector } from '../meta/v1/label-selector.ts';

interface Spec {
  replicas?: number;
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
}

type Replicated = StatusObject<Spec, { replicas?: number; readyReplicas?: number }>;
type Deployed = StatusObject<
  Spec,
  { readyReplicas?: number; updatedReplicas?: number; availableReplicas?: number }
>;

type OnNodes = StatusObject<
  Spec,
  {
    desiredNumberScheduled: number;
    currentNumberScheduled: number;
    numberReady: number;
    updatedNumberScheduled?: number;
    numberAvailable?: number;
  }
>;

const templateColumns = containerColumns(({ spec }: { spec: Spec }) => spec.template?.spec?.containers);
const selectorColumn = wideColumn('Selector', ({ spec }: { spec: Spec }) => formatSelector(spec.selector));

export const replicaSetColumns: readonly Column<Replicated>[] = [
  nameColumn,
  column('Desired', ({ spec }) => spec.replicas ?? 0, 'integer'),
  column('Current', ({ status }) => status?.replicas ?? 0, 'integer'),
  column('Ready', ({ status }) => status?.readyReplicas ?? 0, 'integer'),
  ageColumn,
  ...templateColumns,
  selectorColumn,
];

export const deploymentColumns: readonly Column<Deployed>[] = [
  nameColumn,
  column('Ready', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`),
  column('Up-to-date', ({ status }) => status?.updatedReplicas ?? 0),
  column('Available', ({ status }) => status?.availableReplicas ?? 0),
  ageColumn,
  ...templateColumns,
  wideColumn('Selector', ({ spec }) => plainSelector(spec.selector)),
];

export const statefulSetColumns: readonly Column<Replicated>[] = [
  nameColumn,
  column('Ready', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`),
  ageColumn,
  ...templateColumns,
];

export const daemonSetColumns: readonly Column<OnNodes>[] = [
  nameColumn,
  column('Desired', ({ status }) => status?.desiredNumberScheduled ?? 0, 'integer'),
  column('Current', ({ status }) => status?.currentNumberScheduled ?? 0, 'integer'),
  column('Ready', ({ status }) => status?.numberReady ?? 0, 'integer'),
  column('Up-to-date', ({ status }) => status?.updatedNumberScheduled ?? 0, 'integer'),
  column('Available', ({ status }) => status?.numberAvailable ?? 0, 'integer'),
  column('Node Selector', ({ spec }) => formatLabels(spec.template?.spec?.nodeSelector)),
  ageColumn,
  ...templateColumns,
  selectorColumn,
];

/** Deployments show an empty selector as empty. */
function plainSelector(selector: LabelSelector | null | undefined): string {
  try {
    return labelSelectorFromSpec(selector).toString();
  } catch {
    return '<invalid>';
  }
}
