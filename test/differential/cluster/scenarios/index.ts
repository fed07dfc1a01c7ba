/** Every area's scenarios. */
import type { Scenario } from '../scenario.ts';
import { cronjobScenarios } from './cronjob.ts';
import { daemonsetScenarios } from './daemonset.ts';
import { deploymentScenarios } from './deployment.ts';
import { disruptionScenarios } from './disruption.ts';
import { endpointsScenarios } from './endpoints.ts';
import { gcScenarios } from './gc.ts';
import { jobScenarios } from './job.ts';
import { namespaceScenarios } from './namespace.ts';
import { quotaScenarios } from './quota.ts';
import { replicasetScenarios } from './replicaset.ts';
import { statefulsetScenarios } from './statefulset.ts';

export const scenariosByArea: Readonly<Record<string, readonly Scenario[]>> = {
  cronjob: cronjobScenarios,
  daemonset: daemonsetScenarios,
  deployment: deploymentScenarios,
  disruption: disruptionScenarios,
  endpoints: endpointsScenarios,
  gc: gcScenarios,
  job: jobScenarios,
  namespace: namespaceScenarios,
  quota: quotaScenarios,
  replicaset: replicasetScenarios,
  statefulset: statefulsetScenarios,
};
