/** Reconciles one StatefulSet: its pods one after the other, or in parallel, each with its own name. */

import { isStatusError, scaledIntOrPercent } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { referenceTo, type EventRecorder, type ResourceClient } from '@coxswain/client';
import {
  byRevision,
  createRevision,
  revisionData,
  revisionHashLabel,
  sameData,
  templateOf,
  truncateHistory,
} from '../history/revisions.ts';
import { controllerReference } from '../owners.ts';
import type { ControllerRevision, Pod, StatefulSet } from '../objects.ts';
import { isAvailable, isReady } from '../pods/pod-state.ts';
import { slowStart } from '../pods/slow-start.ts';
import type { Claims } from './claims.ts';
import {
  firstOrdinal,
  hasIdentity,
  hasVolumes,
  identityLabels,
  isInRange,
  newPod,
  ordinalOf,
  replicasOf,
  statefulSetKind,
  withVolumes,
} from './ordinals.ts';

export type StatefulSetStatus = NonNullable<StatefulSet['status']>;

export interface StatefulSetSyncOptions {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
  readonly revisions: readonly ControllerRevision[];
  readonly claims: Claims;
  readonly setClient: ResourceClient<StatefulSet>;
  readonly podClient: ResourceClient<Pod>;
  readonly revisionClient: ResourceClient<ControllerRevision>;
  readonly events: EventRecorder;
  readonly nowMs: number;
  /** Called with sets and pods as written. */
  readonly wrote: (object: StatefulSet | Pod) => void;
}

/** Returned by steps: 'wait' means that later pods must wait for an earlier one. */
type Step = 'go on' | 'wait';

const historyLimitDefault = 10;

export class StatefulSetSync {
  readonly #options: StatefulSetSyncOptions;
  readonly #set: StatefulSet;
  readonly #replicas: Pod[] = [];
  #condemned: Pod[] = [];
  #current!: ControllerRevision;
  #update!: ControllerRevision;
  #collisionCount: number;
  #goingForUpdate = 0;

  constructor(options: StatefulSetSyncOptions) {
    this.#options = options;
    this.#set = options.set;
    this.#collisionCount = options.set.status?.collisionCount ?? 0;
  }

  async run(): Promise<StatefulSetStatus> {
    const revisions = byRevision(this.#options.revisions);
    await this.#findRevisions(revisions);
    this.#arrange();
    let failure: unknown;
    let status = this.#statusOf(this.#options.pods);
    if (this.#set.metadata.deletionTimestamp === undefined) {
      try {
        await this.#act();
      } catch (error) {
        failure = error;
      }
      status = this.#statusOf([...this.#replicas, ...this.#condemned]);
    }
    await this.#writeStatus(status);
    await this.#truncate(revisions);
    if (failure !== undefined) throw failure;
    return status;
  }

  // ---- revisions

  async #findRevisions(revisions: readonly ControllerRevision[]): Promise<void> {
    const { revisionClient } = this.#options;
    const data = revisionData(this.#set.spec!.template);
    const newest = revisions.at(-1);
    const equal = revisions.findLast((revision) => sameData(revision, data));
    if (equal === undefined) {
      const created = await createRevision(
        revisionClient,
        this.#set,
        this.#newRevision(data, (newest?.revision ?? 0) + 1),
        this.#collisionCount,
      );
      this.#update = created.revision;
      this.#collisionCount = created.collisionCount;
    } else if (equal === newest) this.#update = equal;
    // After a rollback to a former template, its revision becomes the latest.
    else this.#update = await revisionClient.update({ ...equal, revision: (newest?.revision ?? 0) + 1 });
    const currentName = this.#set.status?.currentRevision;
    this.#current = revisions.find(({ metadata }) => metadata.name === currentName) ?? this.#update;
  }

  #newRevision(data: Record<string, unknown>, revision: number): ControllerRevision {
    const { namespace = '', annotations } = this.#set.metadata;
    return {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: {
        namespace,
        labels: { ...this.#set.spec?.template.metadata?.labels },
        ...(annotations === undefined ? {} : { annotations }),
        ownerReferences: [controllerReference(statefulSetKind, this.#set)],
      },
      data,
      revision,
    } as unknown as ControllerRevision;
  }

  async #truncate(revisions: readonly ControllerRevision[]): Promise<void> {
    const live = new Set([
      this.#current.metadata.name,
      this.#update.metadata.name,
      ...this.#options.pods.map(revisionLabel),
    ]);
    const unused = revisions.filter(({ metadata }) => !live.has(metadata.name));
    await truncateHistory(
      this.#options.revisionClient,
      unused,
      this.#set.spec?.revisionHistoryLimit ?? historyLimitDefault,
    );
  }

  // ---- pods

  /** Lists every pod that should exist, including missing ones, and those that should not. */
  #arrange(): void {
    const first = firstOrdinal(this.#set);
    for (let index = 0; index < replicasOf(this.#set); index++)
      this.#replicas.push(this.#planned(first + index));
    for (const pod of this.#options.pods) {
      if (isInRange(this.#set, pod)) this.#replicas[ordinalOf(pod) - first] = pod;
      else if (ordinalOf(pod) >= 0) this.#condemned.push(pod);
    }
    this.#condemned = this.#condemned.sort((a, b) => ordinalOf(b) - ordinalOf(a));
  }

  #planned(ordinal: number): Pod {
    const { updateStrategy } = this.#set.spec ?? {};
    const { rollingUpdate } = updateStrategy ?? {};
    const kept = rollingUpdate ? (rollingUpdate.partition ?? 0) : (this.#set.status?.currentReplicas ?? 0);
    const isOld = updateStrategy?.type === 'RollingUpdate' && ordinal < firstOrdinal(this.#set) + kept;
    const revision = isOld ? this.#current : this.#update;
    return newPod(this.#set, templateOf(revision), revision.metadata.name ?? '', ordinal);
  }

  async #act(): Promise<void> {
    const firstUnavailable = [...this.#replicas, ...this.#condemned.toReversed()].find((pod) =>
      this.#isUnavailable(pod),
    );
    if ((await this.#each(this.#replicas, (pod, index) => this.#keep(pod, index))) === 'wait') return;
    for (const pod of this.#condemned)
      if (!this.#options.claims.ownersMatch(pod)) await this.#options.claims.updateOwners(pod);
    if ((await this.#each(this.#condemned, (pod) => this.#condemn(pod, firstUnavailable))) === 'wait') return;
    if (this.#set.spec?.updateStrategy?.type !== 'OnDelete') await this.#replaceOld();
  }

  get #isOrdered(): boolean {
    return this.#set.spec?.podManagementPolicy !== 'Parallel';
  }

  async #each(pods: readonly Pod[], act: (pod: Pod, index: number) => Promise<Step>): Promise<Step> {
    if (!this.#isOrdered) {
      const { failure } = await slowStart(pods.length, (index) => act(pods[index]!, index));
      if (failure !== undefined) throw failure;
      return 'go on';
    }
    for (const [index, pod] of [...pods].entries()) if ((await act(pod, index)) === 'wait') return 'wait';
    return 'go on';
  }

  async #keep(pod: Pod, index: number): Promise<Step> {
    const { claims } = this.#options;
    const phase = pod.status?.phase;
    if (phase === 'Failed' || phase === 'Succeeded') {
      if (pod.metadata.deletionTimestamp === undefined) await this.#delete(pod);
      return 'wait';
    }
    if (phase === undefined) {
      if (claims.isStale(pod)) return 'wait';
      this.#replicas[index] = await this.#create(pod);
      if (this.#isOrdered) return 'wait';
    } else if (phase === 'Pending') {
      await claims.create(pod);
      await claims.updateOwners(pod);
    }
    const current = this.#replicas[index]!;
    if (this.#isOrdered && this.#isUnavailable(current)) return 'wait';
    if (hasIdentity(this.#set, current) && hasVolumes(this.#set, current) && claims.ownersMatch(current))
      return 'go on';
    await this.#repair(current);
    return 'go on';
  }

  async #condemn(pod: Pod, firstUnavailable: Pod | undefined): Promise<Step> {
    if (pod.metadata.deletionTimestamp !== undefined) return this.#isOrdered ? 'wait' : 'go on';
    if (this.#isOrdered && this.#isUnavailable(pod) && pod !== firstUnavailable) return 'wait';
    await this.#delete(pod);
    return 'wait';
  }

  /** From the last pod down to the partition, each once its predecessor is healthy again. */
  async #replaceOld(): Promise<void> {
    const { rollingUpdate } = this.#set.spec?.updateStrategy ?? {};
    const lowest = rollingUpdate?.partition ?? 0;
    const unavailableMax = Math.max(
      1,
      scaledIntOrPercent(rollingUpdate?.maxUnavailable ?? 1, replicasOf(this.#set), false),
    );
    let unavailable = 0;
    for (let index = this.#replicas.length - 1; index >= lowest; index--) {
      const pod = this.#replicas[index]!;
      if (revisionLabel(pod) !== this.#update.metadata.name && pod.metadata.deletionTimestamp === undefined) {
        await this.#delete(pod);
        if (revisionLabel(pod) === this.#current.metadata.name) this.#goingForUpdate++;
        unavailable++;
      } else if (this.#isUnavailable(pod)) unavailable++;
      if (unavailable >= unavailableMax) return;
    }
  }

  async #create(pod: Pod): Promise<Pod> {
    const { claims, podClient } = this.#options;
    let created: Pod;
    try {
      await claims.create(pod);
      created = await podClient.create(pod);
      this.#options.wrote(created);
    } catch (error) {
      if (!isStatusError(error, 'AlreadyExists')) this.#report('Create', pod, error);
      throw error;
    }
    await claims.updateOwners(created);
    this.#report('Create', pod);
    return created;
  }

  async #delete(pod: Pod): Promise<void> {
    try {
      await this.#options.podClient.delete(pod.metadata.name ?? '');
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) {
        this.#report('Delete', pod, error);
        throw error;
      }
    }
    this.#report('Delete', pod);
  }

  /** Restores labels and volumes that were removed from a pod. */
  async #repair(pod: Pod): Promise<void> {
    const { name = '', labels } = pod.metadata;
    const { claims, podClient } = this.#options;
    try {
      if (!hasVolumes(this.#set, pod)) await claims.create(pod);
      await claims.updateOwners(pod);
      if (hasIdentity(this.#set, pod) && hasVolumes(this.#set, pod)) return;
      const repaired = {
        ...pod,
        metadata: { ...pod.metadata, labels: { ...labels, ...identityLabels(name, ordinalOf(pod)) } },
      };
      this.#options.wrote(await podClient.update(withVolumes(this.#set, repaired)));
    } catch (error) {
      this.#report('Update', pod, error);
      throw error;
    }
    this.#report('Update', pod);
  }

  #isUnavailable(pod: Pod): boolean {
    return (
      !isAvailable(pod, this.#set.spec?.minReadySeconds ?? 0, this.#options.nowMs) ||
      pod.metadata.deletionTimestamp !== undefined
    );
  }

  // ---- status

  #statusOf(pods: readonly Pod[]): StatefulSetStatus {
    const created = pods.filter((pod) => pod.status?.phase !== undefined);
    const ready = created.filter((pod) => pod.status?.phase === 'Running' && isReady(pod));
    const available = ready.filter((pod) =>
      isAvailable(pod, this.#set.spec?.minReadySeconds ?? 0, this.#options.nowMs),
    );
    const staying = created.filter((pod) => pod.metadata.deletionTimestamp === undefined);
    const of = ({ metadata }: ControllerRevision) =>
      staying.filter((pod) => revisionLabel(pod) === metadata.name).length;
    const status = {
      replicas: created.length,
      ready: ready.length,
      current: of(this.#current) - this.#goingForUpdate,
      updated: of(this.#update),
      currentRevision: this.#current.metadata.name ?? '',
    };
    const wanted = replicasOf(this.#set);
    const isComplete = [status.updated, status.ready, status.replicas].every((count) => count === wanted);
    if (isComplete && this.#set.spec?.updateStrategy?.type === 'RollingUpdate') {
      status.current = status.updated;
      status.currentRevision = this.#update.metadata.name ?? '';
    }
    return {
      ...(this.#set.metadata.generation === undefined
        ? {}
        : { observedGeneration: this.#set.metadata.generation }),
      replicas: status.replicas,
      ...(status.ready ? { readyReplicas: status.ready } : {}),
      ...(status.current ? { currentReplicas: status.current } : {}),
      ...(status.updated ? { updatedReplicas: status.updated } : {}),
      currentRevision: status.currentRevision,
      updateRevision: this.#update.metadata.name ?? '',
      collisionCount: this.#collisionCount,
      availableReplicas: available.length,
    };
  }

  async #writeStatus(status: StatefulSetStatus): Promise<void> {
    const before = this.#set.status;
    const isSame =
      (status.observedGeneration ?? 0) <= (before?.observedGeneration ?? 0) &&
      comparedMembers.every((member) => (status[member] ?? 0) === (before?.[member] ?? 0));
    if (isSame) return;
    const { setClient, wrote } = this.#options;
    const write = async (set: StatefulSet) =>
      wrote(await setClient.updateStatus({ ...set, status: { ...set.status, ...status } }));
    try {
      await write({ ...this.#set, status: keptConditions(before) });
    } catch (error) {
      if (!isStatusError(error, 'Conflict')) throw error;
      const latest = await setClient.get(this.#set.metadata.name ?? '');
      await write({ ...latest, status: keptConditions(latest.status) });
    }
  }

  #report(verb: 'Create' | 'Delete' | 'Update', pod: Pod, error?: unknown): void {
    const about = referenceTo(this.#set, statefulSetKind.kind, statefulSetKind.apiVersion);
    const what = `${verb} Pod ${pod.metadata.name} in StatefulSet ${this.#set.metadata.name}`;
    if (error === undefined)
      this.#options.events.event(about, 'Normal', `Successful${verb}`, `${what} successful`);
    else
      this.#options.events.event(
        about,
        'Warning',
        `Failed${verb}`,
        `${what} failed error: ${messageOf(error)}`,
      );
  }
}

const comparedMembers = [
  'replicas',
  'readyReplicas',
  'availableReplicas',
  'currentReplicas',
  'updatedReplicas',
  'currentRevision',
  'updateRevision',
] as const;

const keptConditions = (status: StatefulSetStatus | undefined): StatefulSetStatus =>
  (status?.conditions === undefined ? {} : { conditions: status.conditions }) as StatefulSetStatus;

const revisionLabel = ({ metadata }: Pod): string => metadata.labels?.[revisionHashLabel] ?? '';
