/** Which describer is for which kind; loaded when it is needed. */
import type { Describer } from './describer.ts';

const describers: Readonly<Record<string, () => Promise<Describer>>> = {
  Pod: async () => (await import('./pod.ts')).describePod,
  'Deployment.apps': async () => (await import('./deployment.ts')).describeDeployment,
  'ReplicaSet.apps': async () => (await import('./replica-set.ts')).describeReplicaSet,
  ReplicationController: async () => (await import('./replica-set.ts')).describeReplicaSet,
  'StatefulSet.apps': async () => (await import('./stateful-set.ts')).describeStatefulSet,
  'DaemonSet.apps': async () => (await import('./daemon-set.ts')).describeDaemonSet,
  'Job.batch': async () => (await import('./job.ts')).describeJob,
  'CronJob.batch': async () => (await import('./cron-job.ts')).describeCronJob,
  Service: async () => (await import('./service.ts')).describeService,
  Node: async () => (await import('./node.ts')).describeNode,
  ConfigMap: async () => (await import('./config-map.ts')).describeConfigMap,
  Secret: async () => (await import('./secret.ts')).describeSecret,
  ServiceAccount: async () => (await import('./service-account.ts')).describeServiceAccount,
  Namespace: async () => (await import('./namespace.ts')).describeNamespace,
};

export async function describerFor(group: string, kind: string): Promise<Describer> {
  const load = describers[group === '' ? kind : `${kind}.${group}`];
  return load === undefined ? (await import('./generic.ts')).describeGeneric : load();
}
