/** Which ReplicaSet is the deployment's present and which its past, and the annotations that tell. */

import { parseInt64, semanticDeepEqual } from '@coxswain/apimachinery';
import type { Deployment, PodTemplateSpec, ReplicaSet } from '../objects.ts';
import { byCreation, creationOrder, maxSurge, wantedReplicas } from './replica-counts.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
const revisionHistoryAnnotation = 'deployment.kubernetes.io/revision-history';
export const desiredReplicasAnnotation = 'deployment.kubernetes.io/desired-replicas';
export const maxReplicasAnnotation = 'deployment.kubernetes.io/max-replicas';
export const rollbackAnnotation = 'deprecated.deployment.rollback.to';
export const hashLabel = 'pod-template-hash';
const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** Characters of the list of former revisions; the oldest are forgotten first. */
const revisionHistoryLengthMax = 2000;

const ownAnnotations: ReadonlySet<string> = new Set([
  lastAppliedAnnotation,
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  rollbackAnnotation,
]);

/** The oldest set with the deployment's template: there may be several after a version skew. */
export const findNewSet = (deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined =>
  byCreation(sets).find((set) => sameTemplate(set.spec?.template, deployment.spec?.template));

export const findOldSets = (newSet: ReplicaSet | undefined, sets: readonly ReplicaSet[]): ReplicaSet[] =>
  sets.filter((set) => set.metadata.uid !== newSet?.metadata.uid);

/** Apart from the hash label, which only the set's has. */
export function sameTemplate(a: PodTemplateSpec | undefined, b: PodTemplateSpec | undefined): boolean {
  return semanticDeepEqual(withoutHash(a), withoutHash(b));
}

export function withoutHash(template: PodTemplateSpec | undefined): PodTemplateSpec | undefined {
  if (template?.metadata?.labels?.[hashLabel] === undefined) return template;
  const { [hashLabel]: _hash, ...labels } = template.metadata.labels;
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** 64 bits wide. 0 without one; undefined when it is no number. */
export function revisionOf(set: ReplicaSet): bigint | undefined {
  const text = set.metadata.annotations?.[revisionAnnotation];
  return text === undefined ? 0n : parseInt64(text);
}

/** The revision of a set that comes after these. */
export const nextRevision = (sets: readonly ReplicaSet[]): bigint =>
  sets.map((set) => revisionOf(set) ?? 0n).reduce((newest, one) => (one > newest ? one : newest), 0n) + 1n;

/** The second newest. */
export function lastRevision(sets: readonly ReplicaSet[]): bigint {
  let newest = 0n;
  let second = 0n;
  for (const set of sets) {
    const revision = revisionOf(set) ?? -1n;
    if (revision >= newest) [newest, second] = [revision, newest];
    else if (revision > second) second = revision;
  }
  return second;
}

/** Oldest revision first. */
export const byRevision = (sets: readonly ReplicaSet[]): ReplicaSet[] =>
  [...sets].sort((a, b) => Number((revisionOf(a) ?? 0n) - (revisionOf(b) ?? 0n)) || creationOrder(a, b));

export type Annotations = Readonly<Record<string, string>>;

/** What the new set is to be annotated with; the same object when it is already. */
export function newSetAnnotations(
  deployment: Deployment,
  current: Annotations,
  revision: bigint,
  exists: boolean,
): Annotations {
  const annotations: Record<string, string> = { ...current };
  let changed = false;
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) {
    if (ownAnnotations.has(key) || annotations[key] === value) continue;
    annotations[key] = value;
    changed = true;
  }
  const before = current[revisionAnnotation];
  const number = before === undefined || before === '' ? 0n : parseInt64(before);
  if (number === undefined) return current;
  if (number < revision) {
    annotations[revisionAnnotation] = String(revision);
    if (before !== undefined) addToHistory(annotations, before);
    changed = true;
  }
  if (!exists) return { ...annotations, ...replicaAnnotations(deployment) };
  return changed ? annotations : current;
}

function addToHistory(annotations: Record<string, string>, revision: string): void {
  const history = (annotations[revisionHistoryAnnotation] ?? '').split(',').filter((entry) => entry !== '');
  history.push(revision);
  while (history.length > 1 && history.join(',').length > revisionHistoryLengthMax) history.shift();
  annotations[revisionHistoryAnnotation] = history.join(',');
}

/** The sizes at the time of the last scaling: later changes are shared in their proportion. */
export const replicaAnnotations = (deployment: Deployment): Annotations => ({
  [desiredReplicasAnnotation]: String(wantedReplicas(deployment)),
  [maxReplicasAnnotation]: String(wantedReplicas(deployment) + maxSurge(deployment)),
});

export function replicaAnnotation(set: ReplicaSet, annotation: string): number | undefined {
  const text = set.metadata.annotations?.[annotation];
  return text !== undefined && /^[0-9]+$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;
}

/** After a rollback the deployment has the annotations of the set that it went back to. */
export function rolledBackAnnotations(deployment: Deployment, set: ReplicaSet): Annotations {
  const own = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) =>
    ownAnnotations.has(key),
  );
  const theirs = Object.entries(set.metadata.annotations ?? {}).filter(([key]) => !ownAnnotations.has(key));
  return Object.fromEntries([...own, ...theirs]);
}
