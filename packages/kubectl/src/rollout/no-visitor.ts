import { goQuote, parseApiVersion, type KubeObject } from '@coxswain/apimachinery';

/** Pods and kinds that create pods: upstream knows them, but not all have rollouts. */
const workloads: ReadonlySet<string> = new Set([
  'DaemonSet.apps',
  'Deployment.apps',
  'Job.batch',
  'Pod',
  'ReplicaSet.apps',
  'ReplicationController',
  'StatefulSet.apps',
  'CronJob.batch',
]);

/** `ReplicaSet.apps` */
export function groupKindOf({ apiVersion = '', kind = '' }: KubeObject): string {
  const { group } = parseApiVersion(apiVersion);
  return group === '' ? kind : `${kind}.${group}`;
}

/** @param missing the feature that such a kind lacks, in upstream's two wordings */
export function noRollout(object: KubeObject, missing: { retrieving: string; implemented: string }): Error {
  const kind = groupKindOf(object);
  if (workloads.has(kind))
    return new Error(`no ${missing.implemented} has been implemented for ${goQuote(kind)}`);
  const { group } = parseApiVersion(object.apiVersion ?? '');
  return new Error(
    `error retrieving ${missing.retrieving} for ${goQuote(kind)}, no visitor method exists for {${group} ${object.kind ?? ''}}`,
  );
}
