/** Reconciles one Deployment once. */

import { deepEqual, isStatusError, parseInt64, type Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { referenceTo, type EventRecorder, type ResourceClient } from '@coxswain/client';
import type { Deployment, Pod, ReplicaSet } from '../objects.ts';
import { controllerReference, isControlledBy } from '../owners.ts';
import { isNamespaceTerminating } from '../pods/pod-control.ts';
import { isFinished } from '../pods/pod-state.ts';
import { podTemplateHash } from '../pod-template-hash/pod-template-hash.ts';
import { deploymentKind } from './deployment-kind.ts';
import {
  byCreation,
  isActiveSet,
  isRolling,
  maxUnavailable,
  newSetReplicas,
  replicasOf,
  scaleDownOld,
  scaleDownUnhealthy,
  scaleProportionally,
  totalActual,
  totalWanted,
  wantedReplicas,
  type Scaling,
} from './replica-counts.ts';
import {
  byRevision,
  desiredReplicasAnnotation,
  findNewSet,
  findOldSets,
  hashLabel,
  lastRevision,
  maxReplicasAnnotation,
  nextRevision,
  newSetAnnotations,
  replicaAnnotation,
  replicaAnnotations,
  revisionAnnotation,
  revisionOf,
  rollbackAnnotation,
  rolledBackAnnotations,
  sameTemplate,
  withoutHash,
} from './revisions.ts';
import {
  condition,
  countedStatus,
  hasProgressDeadline,
  isComplete,
  newCondition,
  progressCheckMs,
  rolloutStatus,
  timedOutReason,
  withCondition,
  type DeploymentStatus,
} from './status.ts';

export interface RolloutOptions {
  readonly deployment: Deployment;
  /** All ReplicaSets of this deployment. */
  readonly sets: readonly ReplicaSet[];
  readonly podsOf: (set: ReplicaSet) => readonly Pod[];
  readonly cachedSet: (name: string) => ReplicaSet | undefined;
  readonly client: ResourceClient<Deployment>;
  readonly setClient: ResourceClient<ReplicaSet>;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

const nameLengthMax = 253;
const int32Max = 2 ** 31 - 1;

export class Rollout {
  readonly #options: RolloutOptions;
  /** As read, with the changes made since. */
  #deployment: Deployment;
  #newSet: ReplicaSet | undefined;
  #oldSets: ReplicaSet[] = [];

  constructor(options: RolloutOptions) {
    this.#options = options;
    this.#deployment = options.deployment;
  }

  /** Returns the milliseconds after which to check again, if necessary. */
  async sync(): Promise<number | void> {
    const { metadata, spec } = this.#deployment;
    if (metadata.deletionTimestamp !== undefined) {
      await this.#findSets(false);
      return this.#writeCounted();
    }
    await this.#notePause();
    if (spec?.paused) return this.#syncSize();
    if (metadata.annotations?.[rollbackAnnotation]) return this.#rollBack();
    if (await this.#isScaling()) return this.#syncSize();
    return spec?.strategy?.type === 'Recreate' ? this.#recreate() : this.#roll();
  }

  /** Warns about a selector that selects all pods, which is a mistake. */
  async selectsAll(): Promise<void> {
    const text = 'This deployment is selecting all pods. A non-empty selector is required.';
    this.#event('Warning', 'SelectingAll', text);
    const { generation = 0 } = this.#deployment.metadata;
    if ((this.#deployment.status?.observedGeneration ?? 0) >= generation) return;
    await this.#writeStatus({ ...this.#deployment.status, observedGeneration: generation });
  }

  get #sets(): (ReplicaSet | undefined)[] {
    return [...this.#oldSets, this.#newSet];
  }

  get #nowMs(): number {
    return this.#options.clock.now();
  }

  // ---- rolling update

  async #roll(): Promise<number | void> {
    await this.#findSets(true);
    if (await this.#growNewSet()) return this.#writeRollout();
    if (await this.#shrinkOldSets()) return this.#writeRollout();
    if (isComplete(this.#deployment, this.#deployment.status)) await this.#cleanUp();
    return this.#writeRollout();
  }

  async #growNewSet(): Promise<boolean> {
    const newSet = this.#newSet!;
    const current = replicasOf(newSet);
    const wanted = wantedReplicas(this.#deployment);
    if (current === wanted) return false;
    const replicas = current > wanted ? wanted : newSetReplicas(this.#deployment, this.#sets, current);
    return this.#scale({ set: newSet, replicas });
  }

  async #shrinkOldSets(): Promise<boolean> {
    const active = this.#oldSets.filter(isActiveSet);
    if (totalWanted(active) === 0) return false;
    const deployment = this.#deployment;
    const newUnavailable = replicasOf(this.#newSet) - (this.#newSet?.status?.availableReplicas ?? 0);
    const countMax =
      totalWanted(this.#sets) - (wantedReplicas(deployment) - maxUnavailable(deployment)) - newUnavailable;
    if (countMax <= 0) return false;
    const unhealthy = scaleDownUnhealthy(active, countMax);
    for (const scaling of unhealthy) {
      // A status older than the spec still counts more pods than intended: the ReplicaSet is skipped until it has
      // caught up.
      if (scaling.replicas > replicasOf(scaling.set)) return false;
      await this.#scale(scaling);
    }
    const remaining = active.map(
      (set) => this.#oldSets.find((one) => one.metadata.uid === set.metadata.uid) ?? set,
    );
    const healthy = scaleDownOld(deployment, [...remaining, this.#newSet], remaining);
    for (const scaling of healthy) await this.#scale(scaling);
    return unhealthy.length + healthy.length > 0;
  }

  // ---- recreate

  async #recreate(): Promise<number | void> {
    await this.#findSets(false);
    let scaled = false;
    for (const set of this.#oldSets.filter(isActiveSet))
      scaled = (await this.#scale({ set, replicas: 0 })) || scaled;
    if (scaled || this.#oldPodsRun()) return this.#writeRollout();
    if (this.#newSet === undefined) await this.#findSets(true);
    await this.#scale({ set: this.#newSet!, replicas: wantedReplicas(this.#deployment) });
    if (isComplete(this.#deployment, this.#deployment.status)) await this.#cleanUp();
    return this.#writeRollout();
  }

  #oldPodsRun(): boolean {
    if (totalActual(this.#oldSets) > 0) return true;
    return this.#oldSets.some((set) => this.#options.podsOf(set).some((pod) => !isFinished(pod)));
  }

  // ---- size only

  async #isScaling(): Promise<boolean> {
    await this.#findSets(false);
    const wanted = wantedReplicas(this.#deployment);
    return this.#sets.filter(isActiveSet).some((set) => {
      const desired = replicaAnnotation(set, desiredReplicasAnnotation);
      return desired !== undefined && desired !== wanted;
    });
  }

  async #syncSize(): Promise<void> {
    await this.#findSets(false);
    const { scalings, forced } = this.#resizing();
    for (const scaling of scalings) await this.#scale(scaling, forced);
    const { paused } = this.#deployment.spec ?? {};
    if (paused && !this.#deployment.metadata.annotations?.[rollbackAnnotation]) await this.#cleanUp();
    await this.#writeCounted();
  }

  /** With `forced`, annotations are updated even if the number of replicas is unchanged. */
  #resizing(): { scalings: readonly Scaling[]; forced: boolean } {
    const wanted = wantedReplicas(this.#deployment);
    const active = this.#sets.filter(isActiveSet);
    if (active.length <= 1) {
      const only = active[0] ?? this.#newSet ?? byCreation(this.#oldSets).at(-1);
      const scalings =
        only === undefined || replicasOf(only) === wanted ? [] : [{ set: only, replicas: wanted }];
      return { scalings, forced: false };
    }
    if (this.#isSaturated()) {
      return {
        scalings: this.#oldSets.filter(isActiveSet).map((set) => ({ set, replicas: 0 })),
        forced: false,
      };
    }
    if (!isRolling(this.#deployment)) return { scalings: [], forced: false };
    const before = (set: ReplicaSet) => replicaAnnotation(set, maxReplicasAnnotation);
    return { scalings: scaleProportionally(this.#deployment, active, before), forced: true };
  }

  #isSaturated(): boolean {
    const wanted = wantedReplicas(this.#deployment);
    const set = this.#newSet;
    return (
      set !== undefined &&
      replicasOf(set) === wanted &&
      replicaAnnotation(set, desiredReplicasAnnotation) === wanted &&
      (set.status?.availableReplicas ?? 0) === wanted
    );
  }

  // ---- rollback, by an annotation that the old API leaves

  async #rollBack(): Promise<void> {
    await this.#findSets(true);
    const sets = this.#sets.filter((set) => set !== undefined);
    const asked = parseInt64(this.#deployment.metadata.annotations?.[rollbackAnnotation] ?? '');
    const revision = asked === 0n ? lastRevision(sets) : asked;
    if (revision === 0n) {
      this.#event('Warning', 'DeploymentRollbackRevisionNotFound', 'Unable to find last revision.');
      return this.#clearRollback(this.#deployment);
    }
    const target = sets.find((set) => revisionOf(set) === revision);
    if (target === undefined) {
      this.#event(
        'Warning',
        'DeploymentRollbackRevisionNotFound',
        'Unable to find the revision to rollback to.',
      );
      return this.#clearRollback(this.#deployment);
    }
    const { name } = this.#deployment.metadata;
    if (sameTemplate(this.#deployment.spec?.template, target.spec?.template)) {
      const text = `The rollback revision contains the same template as current deployment "${name}"`;
      this.#event('Warning', 'DeploymentRollbackTemplateUnchanged', text);
      return this.#clearRollback(this.#deployment);
    }
    const annotations = { ...rolledBackAnnotations(this.#deployment, target) };
    await this.#clearRollback({
      ...this.#deployment,
      metadata: { ...this.#deployment.metadata, annotations },
      spec: { ...this.#deployment.spec!, template: withoutHash(target.spec?.template)! },
    });
    this.#event('Normal', 'DeploymentRollback', `Rolled back deployment "${name}" to revision ${revision}`);
  }

  async #clearRollback(deployment: Deployment): Promise<void> {
    const { [rollbackAnnotation]: _done, ...annotations } = deployment.metadata.annotations ?? {};
    await this.#options.client.update({ ...deployment, metadata: { ...deployment.metadata, annotations } });
  }

  // ---- the sets

  /** Separates the new ReplicaSet from old ones, updates its annotations, and creates it if it is missing. */
  async #findSets(create: boolean): Promise<void> {
    const { sets } = this.#options;
    const existing = findNewSet(this.#deployment, sets);
    const current = this.#newSet;
    this.#oldSets = findOldSets(existing, sets).map(
      (set) => this.#oldSets.find((one) => one.metadata.uid === set.metadata.uid) ?? set,
    );
    const revision = nextRevision(this.#oldSets);
    if (existing !== undefined) this.#newSet = await this.#refreshNewSet(current ?? existing, revision);
    else if (create && current === undefined) this.#newSet = await this.#createNewSet(revision);
  }

  async #refreshNewSet(set: ReplicaSet, revision: bigint): Promise<ReplicaSet> {
    const before = set.metadata.annotations ?? {};
    const annotations = newSetAnnotations(this.#deployment, before, revision, true);
    const minReadySeconds = this.#deployment.spec?.minReadySeconds ?? 0;
    if (annotations !== before || (set.spec?.minReadySeconds ?? 0) !== minReadySeconds) {
      return this.#options.setClient.update({
        ...set,
        metadata: { ...set.metadata, annotations: { ...annotations } },
        spec: { ...set.spec!, minReadySeconds },
      });
    }
    const revised = this.#withRevision(annotations[revisionAnnotation] ?? '');
    const known = this.#deployment.status ?? {};
    let status = known;
    if (hasProgressDeadline(this.#deployment) && condition(status, 'Progressing') === undefined) {
      const text = `Found new replica set "${set.metadata.name}"`;
      status = withCondition(
        status,
        newCondition('Progressing', 'True', 'FoundNewReplicaSet', text, this.#nowMs),
      );
    }
    if (revised || status !== known) await this.#writeStatus(status);
    return set;
  }

  async #createNewSet(revision: bigint): Promise<ReplicaSet> {
    const wanted = this.#newSetObject(revision);
    const replicas = replicasOf(wanted);
    let created: ReplicaSet;
    let isNew = true;
    try {
      created = await this.#options.setClient.create(wanted);
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists')) throw await this.#noteCreateFailure(wanted, error);
      created = await this.#resolveCollision(wanted, error);
      isNew = false;
    }
    if (isNew && replicas > 0) {
      this.#event(
        'Normal',
        'ScalingReplicaSet',
        `Scaled up replica set ${created.metadata.name} from 0 to ${replicas}`,
      );
    }
    const revised = this.#withRevision(String(revision));
    const known = this.#deployment.status ?? {};
    let status = known;
    if (isNew && hasProgressDeadline(this.#deployment)) {
      const text = `Created new replica set "${created.metadata.name}"`;
      status = withCondition(
        status,
        newCondition('Progressing', 'True', 'NewReplicaSetCreated', text, this.#nowMs),
      );
    }
    if (revised || status !== known) await this.#writeStatus(status);
    return created;
  }

  #newSetObject(revision: bigint): ReplicaSet {
    const { metadata, spec, status } = this.#deployment;
    const template = spec!.template;
    const hash = podTemplateHash(template, status?.collisionCount);
    const labels = { ...template.metadata?.labels, [hashLabel]: hash };
    const selector = spec!.selector!;
    const set = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: setName(metadata.name ?? '', hash),
        namespace: metadata.namespace ?? '',
        ownerReferences: [controllerReference(deploymentKind, this.#deployment)],
        labels,
        annotations: { ...newSetAnnotations(this.#deployment, {}, revision, false) },
      },
      spec: {
        replicas: 0,
        ...(spec!.minReadySeconds ? { minReadySeconds: spec!.minReadySeconds } : {}),
        selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    } as unknown as ReplicaSet;
    const replicas = newSetReplicas(this.#deployment, [...this.#oldSets, set], 0);
    return { ...set, spec: { ...set.spec!, replicas } };
  }

  /** The name is taken: by our own write a moment ago, or by a different object, so that the hash must change. */
  async #resolveCollision(wanted: ReplicaSet, error: unknown): Promise<ReplicaSet> {
    const cached = this.#options.cachedSet(wanted.metadata.name ?? '');
    if (cached === undefined) throw error;
    const isOurs =
      isControlledBy(cached, this.#deployment) &&
      sameTemplate(this.#deployment.spec?.template, cached.spec?.template);
    if (isOurs) return cached;
    const collisionCount = (this.#deployment.status?.collisionCount ?? 0) + 1;
    await this.#writeStatus({ ...this.#deployment.status, collisionCount });
    throw error;
  }

  async #noteCreateFailure(wanted: ReplicaSet, error: unknown): Promise<unknown> {
    if (isNamespaceTerminating(error)) return error;
    const text = `Failed to create new replica set "${wanted.metadata.name}": ${messageOf(error)}`;
    if (hasProgressDeadline(this.#deployment)) {
      const failed = newCondition('Progressing', 'False', 'ReplicaSetCreateError', text, this.#nowMs);
      await this.#writeStatus(withCondition(this.#deployment.status ?? {}, failed)).catch(() => undefined);
    }
    this.#event('Warning', 'ReplicaSetCreateError', text);
    return error;
  }

  /** Returns whether the number of replicas changed. */
  async #scale({ set, replicas }: Scaling, forced = false): Promise<boolean> {
    const before = replicasOf(set);
    const wanted = replicaAnnotations(this.#deployment);
    const stale = Object.entries(wanted).some(([key, value]) => set.metadata.annotations?.[key] !== value);
    if (before === replicas && !(forced && stale)) return false;
    const updated = await this.#options.setClient.update({
      ...set,
      metadata: { ...set.metadata, annotations: { ...set.metadata.annotations, ...wanted } },
      spec: { ...set.spec!, replicas },
    });
    this.#remember(updated);
    if (before === replicas) return false;
    const direction = before < replicas ? 'up' : 'down';
    this.#event(
      'Normal',
      'ScalingReplicaSet',
      `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${replicas}`,
    );
    return true;
  }

  #remember(updated: ReplicaSet): void {
    if (this.#newSet?.metadata.uid === updated.metadata.uid) this.#newSet = updated;
    this.#oldSets = this.#oldSets.map((set) => (set.metadata.uid === updated.metadata.uid ? updated : set));
  }

  /** Removes old ReplicaSets beyond the history limit, lowest revisions first. */
  async #cleanUp(): Promise<void> {
    const limit = this.#deployment.spec?.revisionHistoryLimit;
    if (limit === undefined || limit === int32Max) return;
    const alive = this.#oldSets.filter((set) => set.metadata.deletionTimestamp === undefined);
    for (const set of byRevision(alive).slice(0, Math.max(0, alive.length - limit))) {
      const observed = (set.metadata.generation ?? 0) <= (set.status?.observedGeneration ?? 0);
      if ((set.status?.replicas ?? 0) !== 0 || replicasOf(set) !== 0 || !observed) continue;
      try {
        await this.#options.setClient.delete(set.metadata.name ?? '');
      } catch (error) {
        if (!isStatusError(error, 'NotFound')) throw error;
      }
    }
  }

  // ---- status

  async #notePause(): Promise<void> {
    if (!hasProgressDeadline(this.#deployment)) return;
    const status = this.#deployment.status ?? {};
    const progress = condition(status, 'Progressing');
    if (progress?.reason === timedOutReason) return;
    const isNoted = progress?.reason === 'DeploymentPaused';
    const paused = this.#deployment.spec?.paused ?? false;
    if (paused === isNoted) return;
    const noted = paused
      ? newCondition('Progressing', 'Unknown', 'DeploymentPaused', 'Deployment is paused', this.#nowMs)
      : newCondition('Progressing', 'Unknown', 'DeploymentResumed', 'Deployment is resumed', this.#nowMs);
    await this.#writeStatus(withCondition(status, noted));
  }

  async #writeCounted(): Promise<void> {
    const status = countedStatus(this.#deployment, this.#sets, this.#newSet, this.#nowMs);
    if (!deepEqual(this.#deployment.status, status)) await this.#writeStatus(status);
  }

  async #writeRollout(): Promise<number | void> {
    const status = rolloutStatus(this.#deployment, this.#sets, this.#newSet, this.#nowMs);
    if (deepEqual(this.#deployment.status, status))
      return progressCheckMs(this.#deployment, status, this.#nowMs);
    await this.#writeStatus(status);
  }

  /** The revision is an annotation that a status update carries along. Returns true if it has changed. */
  #withRevision(revision: string): boolean {
    const { metadata } = this.#deployment;
    if (metadata.annotations?.[revisionAnnotation] === revision) return false;
    const annotations = { ...metadata.annotations, [revisionAnnotation]: revision };
    this.#deployment = { ...this.#deployment, metadata: { ...metadata, annotations } };
    return true;
  }

  /** @throws StatusError Conflict if the deployment has changed since it was read: its key is queued again. */
  async #writeStatus(status: DeploymentStatus): Promise<void> {
    this.#deployment = await this.#options.client.updateStatus({ ...this.#deployment, status });
  }

  #event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { kind, apiVersion } = deploymentKind;
    this.#options.events.event(referenceTo(this.#deployment, kind, apiVersion), type, reason, message);
  }
}

function setName(deploymentName: string, hash: string): string {
  return `${deploymentName.slice(0, nameLengthMax - 1 - hash.length)}-${hash}`;
}
