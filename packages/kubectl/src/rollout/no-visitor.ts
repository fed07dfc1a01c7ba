import { goQuote, parseApiVersion, type KubeObject } from '@coxswain/apimachinery';

/** Kinds that make pods, or are one: the original knows them, but not all have rollouts. */
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

/** @param missing what such a kind has none of, in the two ways that the original says it */
export function noRollout(object: KubeObject, missing: { retrieving: string; implemented: string }): Error {
  const kind = groupKindOf(object);
  if (workloads.has(kind))
    return new Error(`no ${missing.implemented} has been implemented for ${goQuote(kind)}`);
  const { group } = parseApiVersion(object.apiVersion ?? '');
  return new Error(
    `error retrieving ${missing.retrieving} for ${goQuote(kind)}, no visitor method exists for {${group} ${object.kind ?? ''}}`,
  );
}
