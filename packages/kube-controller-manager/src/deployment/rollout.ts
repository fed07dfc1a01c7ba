/** What all steps of a Deployment's reconcile share. */

import { deepEqual, ignoring, type Clock } from '@coxswain/apimachinery';
import { referenceTo, type EventRecorder, type ResourceClient } from '@coxswain/client';
import type { Deployment, Pod, ReplicaSet } from '../objects.ts';
import { deploymentKind } from './deployment-kind.ts';
import { replicasOf, type Scaling } from './replica-counts.ts';
import { byRevision, replicaAnnotations, revisionAnnotation } from './revisions.ts';
import { countedStatus, progressCheckMs, rolloutStatus, type DeploymentStatus } from './status.ts';

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

const int32Max = 2 ** 31 - 1;

/** A Deployment with its ReplicaSets during one reconcile, and the writes that the strategies share. */
export class Rollout {
  readonly options: RolloutOptions;
  /** As read, with the changes made since. */
  deployment: Deployment;
  newSet: ReplicaSet | undefined;
  oldSets: ReplicaSet[] = [];

  constructor(options: RolloutOptions) {
    this.options = options;
    this.deployment = options.deployment;
  }

  get sets(): (ReplicaSet | undefined)[] {
    return [...this.oldSets, this.newSet];
  }

  get nowMs(): number {
    return this.options.clock.now();
  }

  /** Returns whether the number of replicas changed. */
  async scale({ set, replicas }: Scaling, forced = false): Promise<boolean> {
    const before = replicasOf(set);
    const wanted = replicaAnnotations(this.deployment);
    const stale = Object.entries(wanted).some(([key, value]) => set.metadata.annotations?.[key] !== value);
    if (before === replicas && !(forced && stale)) return false;
    const updated = await this.options.setClient.update({
      ...set,
      metadata: { ...set.metadata, annotations: { ...set.metadata.annotations, ...wanted } },
      spec: { ...set.spec!, replicas },
    });
    this.#remember(updated);
    if (before === replicas) return false;
    const direction = before < replicas ? 'up' : 'down';
    this.event(
      'Normal',
      'ScalingReplicaSet',
      `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${replicas}`,
    );
    return true;
  }

  #remember(updated: ReplicaSet): void {
    if (this.newSet?.metadata.uid === updated.metadata.uid) this.newSet = updated;
    this.oldSets = this.oldSets.map((set) => (set.metadata.uid === updated.metadata.uid ? updated : set));
  }

  /** Removes old ReplicaSets beyond the history limit, lowest revisions first. */
  async cleanUp(): Promise<void> {
    const limit = this.deployment.spec?.revisionHistoryLimit;
    if (limit === undefined || limit === int32Max) return;
    const alive = this.oldSets.filter((set) => set.metadata.deletionTimestamp === undefined);
    for (const set of byRevision(alive).slice(0, Math.max(0, alive.length - limit))) {
      const observed = (set.metadata.generation ?? 0) <= (set.status?.observedGeneration ?? 0);
      if ((set.status?.replicas ?? 0) !== 0 || replicasOf(set) !== 0 || !observed) continue;
      await ignoring('NotFound', this.options.setClient.delete(set.metadata.name ?? ''));
    }
  }

  async writeCounted(): Promise<void> {
    const status = countedStatus(this.deployment, this.sets, this.newSet, this.nowMs);
    if (!deepEqual(this.deployment.status, status)) await this.writeStatus(status);
  }

  async writeRollout(): Promise<number | void> {
    const status = rolloutStatus(this.deployment, this.sets, this.newSet, this.nowMs);
    if (deepEqual(this.deployment.status, status))
      return progressCheckMs(this.deployment, status, this.nowMs);
    await this.writeStatus(status);
  }

  /** The revision is an annotation that a status update carries along. Returns true if it has changed. */
  setRevision(revision: string): boolean {
    const { metadata } = this.deployment;
    if (metadata.annotations?.[revisionAnnotation] === revision) return false;
    const annotations = { ...metadata.annotations, [revisionAnnotation]: revision };
    this.deployment = { ...this.deployment, metadata: { ...metadata, annotations } };
    return true;
  }

  /** @throws StatusError Conflict if the deployment has changed since it was read: its key is queued again. */
  async writeStatus(status: DeploymentStatus): Promise<void> {
    this.deployment = await this.options.client.updateStatus({ ...this.deployment, status });
  }

  event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { kind, apiVersion } = deploymentKind;
    this.options.events.event(referenceTo(this.deployment, kind, apiVersion), type, reason, message);
  }
}
