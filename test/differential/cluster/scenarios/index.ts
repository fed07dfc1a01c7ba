/** Every area's scenarios. */
import type { Scenario } from '../scenario.ts';
import { accountTokenScenarios } from './account-tokens.ts';
import { affinityTermScenarios } from './affinity-terms.ts';
import { bootstrapTokenScenarios } from './bootstrap-tokens.ts';
import { clusterRoleScenarios } from './cluster-roles.ts';
import { controlPlaneScenarios } from './control-plane.ts';
import { cronjobScenarios } from './cronjob.ts';
import { csrScenarios } from './csr.ts';
import {
  customBudgetScenarios,
  customGcScenarios,
  customNamespaceScenarios,
  customQuotaScenarios,
  customScalingScenarios,
} from './custom-resources.ts';
import { daemonsetScenarios } from './daemonset.ts';
import { deploymentScenarios } from './deployment.ts';
import { deviceClaimScenarios } from './device-claims.ts';
import { deviceScenarios } from './devices.ts';
import { disruptionScenarios } from './disruption.ts';
import { endpointsScenarios } from './endpoints.ts';
import { gcScenarios } from './gc.ts';
import { jobScenarios } from './job.ts';
import { namespaceScenarios } from './namespace.ts';
import { hpaScenarios, miscScenarios, nodeScenarios, serviceaccountScenarios } from './others.ts';
import {
  gateScenarios,
  makingRoomScenarios,
  spreadingScenarios,
  volumePlacementScenarios,
} from './placement.ts';
import { quotaScenarios } from './quota.ts';
import { refusedPodScenarios } from './refused-pods.ts';
import { replicasetScenarios } from './replicaset.ts';
import {
  affinityScenarios,
  fitScenarios,
  preemptScenarios,
  spreadScenarios,
  taintScenarios,
  volumeSchedulingScenarios,
} from './scheduling.ts';
import { scalingByMetricsScenarios } from './scaling-by-metrics.ts';
import { scalingScenarios } from './scaling.ts';
import { serviceRangeScenarios } from './service-ranges.ts';
import { signingScenarios } from './signing.ts';
import { statefulsetScenarios } from './statefulset.ts';
import { taintMatchingScenarios } from './taint-matching.ts';
import { typeCheckingScenarios } from './type-checking.ts';
import { volumesScenarios } from './volumes.ts';

export const scenariosByArea: Readonly<Record<string, readonly Scenario[]>> = {
  'control-plane': controlPlaneScenarios,
  cronjob: cronjobScenarios,
  csr: [...csrScenarios, ...signingScenarios],
  daemonset: daemonsetScenarios,
  deployment: deploymentScenarios,
  devices: [...deviceScenarios, ...deviceClaimScenarios],
  disruption: [...disruptionScenarios, ...customBudgetScenarios],
  endpoints: endpointsScenarios,
  gc: [...gcScenarios, ...customGcScenarios],
  hpa: [...hpaScenarios, ...scalingScenarios, ...customScalingScenarios, ...scalingByMetricsScenarios],
  job: jobScenarios,
  misc: [
    ...miscScenarios,
    ...clusterRoleScenarios,
    ...typeCheckingScenarios,
    ...serviceRangeScenarios,
    ...bootstrapTokenScenarios,
  ],
  namespace: [...namespaceScenarios, ...customNamespaceScenarios],
  node: nodeScenarios,
  'refused-pods': refusedPodScenarios,
  quota: [...quotaScenarios, ...customQuotaScenarios],
  replicaset: replicasetScenarios,
  'sched-affinity': [...affinityScenarios, ...affinityTermScenarios],
  'sched-fit': fitScenarios,
  'sched-gates-volumes': [...volumeSchedulingScenarios, ...gateScenarios, ...volumePlacementScenarios],
  'sched-preempt': [...preemptScenarios, ...makingRoomScenarios],
  'sched-spread': [...spreadScenarios, ...spreadingScenarios],
  'sched-taints': [...taintScenarios, ...taintMatchingScenarios],
  serviceaccount: [...serviceaccountScenarios, ...accountTokenScenarios],
  statefulset: statefulsetScenarios,
  volumes: volumesScenarios,
};
