/** Prepares an object's deletion: its grace period, and the finalizers of garbage collection. */
import { conflict } from '@coxswain/apimachinery/errors.ts';
import { epochMsOf, formatTime } from '@coxswain/apimachinery/time.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import type { Kind } from '@coxswain/schema';
import type { ApiRequest } from '../http/api-request.ts';
import type { DeleteOptions } from '../rest/options.ts';
import type { Strategy } from '../strategy.ts';

export const orphanFinalizer = 'orphan';
export const foregroundFinalizer = 'foregroundDeletion';

/**
 * | plan | what happens |
 * |---|---|
 * | `delete` | the object goes at once |
 * | `mark` | `object` is stored: it waits for its grace period or its finalizers |
 * | `mark, then delete` | stored with a grace period of zero, and gone the moment after |
 * | `pending` | it waits already; nothing changes |
 */
export type DeletionPlan =
  | { readonly kind: 'delete' }
  | { readonly kind: 'mark'; readonly object: KubeObject; readonly graceSeconds?: number }
  | { readonly kind: 'mark, then delete'; readonly object: KubeObject; readonly graceSeconds: number }
  | { readonly kind: 'pending' };

export function planDeletion(
  strategy: Strategy,
  stored: KubeObject,
  options: DeleteOptions,
  request: ApiRequest,
  nowMs: number,
): DeletionPlan {
  const object: KubeObject = { ...stored, metadata: { ...stored.metadata } };
  const grace = applyGrace(strategy, object, withPositiveGrace(options), request, nowMs);
  if (grace.kind === 'pending') return { kind: 'pending' };
  object.metadata.finalizers = finalizersOf(strategy, object, options);
  const isHeld = object.metadata.finalizers.length > 0;
  if (object.metadata.finalizers.length === 0) delete object.metadata.finalizers;
  if (grace.kind === 'graceful') {
    const graceSeconds = grace.seconds;
    return isHeld || graceSeconds > 0
      ? { kind: 'mark', object, graceSeconds }
      : { kind: 'mark, then delete', object, graceSeconds };
  }
  if (!isHeld) return { kind: 'delete' };
  markAsDeleting(object, nowMs);
  return { kind: 'mark', object };
}

/** The grace period, if the object's kind has one. */
export const graceOf = (plan: DeletionPlan): number | undefined =>
  'graceSeconds' in plan ? plan.graceSeconds : undefined;

/** A negative grace period means one second. */
const withPositiveGrace = (options: DeleteOptions): DeleteOptions =>
  (options.gracePeriodSeconds ?? 0) < 0 ? { ...options, gracePeriodSeconds: 1 } : options;

type Grace = { readonly kind: 'none' | 'pending' } | { readonly kind: 'graceful'; readonly seconds: number };

function applyGrace(
  strategy: Strategy,
  object: KubeObject,
  options: DeleteOptions,
  request: ApiRequest,
  nowMs: number,
): Grace {
  if (strategy.gracePeriodSeconds === undefined) return { kind: 'none' };
  const { metadata } = object;
  if (metadata.deletionTimestamp) return shortenGrace(object, options, nowMs);
  const seconds = strategy.gracePeriodSeconds(object, options, request);
  if (seconds === undefined) return { kind: 'none' };
  metadata.deletionTimestamp = formatTime(nowMs + seconds * 1000);
  metadata.deletionGracePeriodSeconds = seconds;
  if ((metadata.generation ?? 0) > 0) metadata.generation!++;
  return { kind: 'graceful', seconds };
}

/** The grace period of a deletion in progress can only be shortened. */
function shortenGrace(
  { metadata }: KubeObject,
  { gracePeriodSeconds: wanted }: DeleteOptions,
  nowMs: number,
): Grace {
  const given = metadata.deletionGracePeriodSeconds ?? 0;
  if (given === 0) return { kind: 'none' };
  if (wanted === undefined || wanted >= given) return { kind: 'pending' };
  let seconds = wanted;
  let atMs = epochMsOf(metadata.deletionTimestamp!) + (wanted - given) * 1000;
  if (atMs < nowMs) {
    atMs = nowMs;
    // Another component is still responsible for ending it gracefully.
    if (wanted !== 0) seconds = 1;
  }
  metadata.deletionTimestamp = formatTime(atMs);
  metadata.deletionGracePeriodSeconds = seconds;
  return { kind: 'graceful', seconds };
}

function markAsDeleting({ metadata }: KubeObject, nowMs: number): void {
  if (!metadata.deletionTimestamp && (metadata.generation ?? 0) > 0) metadata.generation!++;
  if (!metadata.deletionTimestamp || epochMsOf(metadata.deletionTimestamp) > nowMs) {
    metadata.deletionTimestamp = formatTime(nowMs);
  }
  metadata.deletionGracePeriodSeconds = 0;
}

/** The finalizers, including those of garbage collection as the options, the object or the kind require. */
function finalizersOf(strategy: Strategy, { metadata }: KubeObject, options: DeleteOptions): string[] {
  const present = metadata.finalizers ?? [];
  const kept = present.filter((one) => one !== orphanFinalizer && one !== foregroundFinalizer);
  const wanted = policyOf(strategy, present, options);
  if (wanted === 'Orphan') kept.push(orphanFinalizer);
  if (wanted === 'Foreground') kept.push(foregroundFinalizer);
  const before = new Set(present);
  const isSame = kept.length === present.length && kept.every((one) => before.has(one));
  return isSame ? [...present] : kept;
}

function policyOf(strategy: Strategy, present: readonly string[], options: DeleteOptions): string {
  if (strategy.defaultGarbageCollection === 'unsupported') return 'Background';
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background';
  if (options.propagationPolicy !== undefined) return options.propagationPolicy;
  for (const finalizer of present) {
    if (finalizer === orphanFinalizer) return 'Orphan';
    if (finalizer === foregroundFinalizer) return 'Foreground';
  }
  return strategy.defaultGarbageCollection === 'orphan' ? 'Orphan' : 'Background';
}

/** @throws StatusError 409 */
export function checkDeletionPreconditions(
  kind: Kind,
  { metadata }: KubeObject,
  { preconditions }: DeleteOptions,
): void {
  if (preconditions === undefined) return;
  const { uid, resourceVersion } = preconditions;
  // Upstream puts the kind where the resource's name belongs.
  const resource = { group: kind.group, resource: kind.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      resource,
      metadata.name ?? '',
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      resource,
      metadata.name ?? '',
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}

/** Whether an update removes the last obstacle to a deletion. */
export function isFinished({ metadata }: KubeObject, { metadata: old }: KubeObject): boolean {
  if ((metadata.finalizers ?? []).length > 0 || !old.deletionTimestamp) return false;
  return (old.deletionGracePeriodSeconds ?? 0) === 0;
}
