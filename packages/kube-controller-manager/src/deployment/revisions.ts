/** Determines a deployment's current ReplicaSet and its former ones, and the annotations that record the revisions. */

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

/** The maximum length in characters of the list of former revisions; the oldest are dropped first. */
const revisionHistoryLengthMax = 2000;

const ownAnnotations: ReadonlySet<string> = new Set([
  lastAppliedAnnotation,
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  rollbackAnnotation,
]);

/** Returns the oldest ReplicaSet with the deployment's template: there may be several after a version skew. */
export const findNewSet = (deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined =>
  byCreation(sets).find((set) => sameTemplate(set.spec?.template, deployment.spec?.template));

export const findOldSets = (newSet: ReplicaSet | undefined, sets: readonly ReplicaSet[]): ReplicaSet[] =>
  sets.filter((set) => set.metadata.uid !== newSet?.metadata.uid);

/** Ignores the hash label, which only the ReplicaSet's template has. */
export function sameTemplate(a: PodTemplateSpec | undefined, b: PodTemplateSpec | undefined): boolean {
  return semanticDeepEqual(withoutHash(a), withoutHash(b));
}

export function withoutHash(template: PodTemplateSpec | undefined): PodTemplateSpec | undefined {
  if (template?.metadata?.labels?.[hashLabel] === undefined) return template;
  const { [hashLabel]: _hash, ...labels } = template.metadata.labels;
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** A 64-bit number. 0 if missing; undefined if it is not a number. */
export function revisionOf(set: ReplicaSet): bigint | undefined {
  const text = set.metadata.annotations?.[revisionAnnotation];
  return text === undefined ? 0n : parseInt64(text);
}

/** The next revision after those of the sets. */
export const nextRevision = (sets: readonly ReplicaSet[]): bigint =>
  sets.map((set) => revisionOf(set) ?? 0n).reduce((newest, one) => (one > newest ? one : newest), 0n) + 1n;

/** The second-highest revision. */
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

/** Lowest revision first. */
export const byRevision = (sets: readonly ReplicaSet[]): ReplicaSet[] =>
  [...sets].sort((a, b) => Number((revisionOf(a) ?? 0n) - (revisionOf(b) ?? 0n)) || creationOrder(a, b));

export type Annotations = Readonly<Record<string, string>>;

/** Returns the new ReplicaSet's annotations; the same object if they are up to date. */
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

/** The sizes at the last scaling, from which later proportional scaling starts. */
export const replicaAnnotations = (deployment: Deployment): Annotations => ({
  [desiredReplicasAnnotation]: String(wantedReplicas(deployment)),
  [maxReplicasAnnotation]: String(wantedReplicas(deployment) + maxSurge(deployment)),
});

export function replicaAnnotation(set: ReplicaSet, annotation: string): number | undefined {
  const text = set.metadata.annotations?.[annotation];
  return text !== undefined && /^[0-9]+$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;
}

/** After a rollback, the deployment takes over the annotations of that ReplicaSet. */
export function rolledBackAnnotations(deployment: Deployment, set: ReplicaSet): Annotations {
  const own = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) =>
    ownAnnotations.has(key),
  );
  const theirs = Object.entries(set.metadata.annotations ?? {}).filter(([key]) => !ownAnnotations.has(key));
  return Object.fromEntries([...own, ...theirs]);
}
