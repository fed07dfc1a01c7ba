import { ManualClock, formatTime, seededRandom, type KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { PodCondition } from '@coxswain/api/core/v1/pod-status.ts';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeSchedulerConfiguration } from '../src/config/configuration.ts';
import { profilesOf } from '../src/config/profiles.ts';
import type { Extender } from '../src/framework/extender.ts';
import type { PodStatusChange, SchedulerApi, SchedulerEvent } from '../src/framework/scheduler-api.ts';
import { followedResources, ObjectTables } from '../src/object-tables.ts';
import { Scheduler } from '../src/scheduler.ts';

/** A cluster that consists only of its objects, with a running scheduler. Calls complete at once. */
export class MemoryCluster implements SchedulerApi {
  readonly clock = new ManualClock();
  readonly tables = new ObjectTables();
  readonly events: string[] = [];
  readonly steps: string[] = [];
  readonly scheduler: Scheduler;
  readonly #pods = new Map<string, Pod>();
  readonly #nodes = new Map<string, Node>();
  readonly #objects = new Map<string, KubeObject>();
  #uids = 0;
  /** The error with which the next binding is refused. */
  refuseBinding: Error | undefined;
  /** What the next status update waits for. */
  statusHeldUntil: Promise<void> | undefined;
  /** By pod: deletion is acknowledged at once, and observed when this resolves. */
  readonly deletionSeen = new Map<string, Promise<void>>();
  /** If set, deleted pods on nodes remain with a deletion timestamp until {@link finish} is called. */
  gracefulDeletion = false;

  constructor(configuration?: KubeSchedulerConfiguration, extenders: readonly Extender[] = []) {
    this.scheduler = new Scheduler({
      api: this,
      objects: this.tables,
      profiles: profilesOf(configuration),
      extenders,
      clock: this.clock,
      random: seededRandom(1),
      observer: { begin: (step) => void this.steps.push(step) },
    });
  }

  /** Schedules until nothing is left to try. */
  async settle(): Promise<void> {
    do {
      while (this.scheduler.scheduleNext());
      await this.scheduler.settled();
    } while (
      ['active', 'backoff'].some((place) =>
        [...this.#pods.values()].some((pod) => this.#place(pod) === place),
      )
    );
  }

  #place = (pod: Pod) => this.scheduler.queue.placeOf(pod.metadata?.uid ?? '');

  pod(name: string): Pod {
    return this.#pods.get(`default/${name}`) ?? fail(`no pod ${name}`);
  }

  nodeOf = (name: string): string | undefined => this.pod(name).spec?.nodeName;

  messageOf(name: string): string | undefined {
    return this.pod(name).status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
  }

  setNode(node: Node): void {
    const name = node.metadata?.name ?? '';
    const before = this.#nodes.get(name);
    this.#nodes.set(name, node);
    this.scheduler.nodeChanged(before, node);
  }

  removeNode(name: string): void {
    const node = this.#nodes.get(name);
    this.#nodes.delete(name);
    this.scheduler.nodeChanged(node, undefined);
  }

  setPod(pod: Pod): void {
    const namespace = pod.metadata?.namespace ?? 'default';
    const key = `${namespace}/${pod.metadata?.name}`;
    const before = this.#pods.get(key);
    const uid = pod.metadata?.uid ?? before?.metadata?.uid ?? `uid-${++this.#uids}`;
    const after: Pod = { ...pod, metadata: { generation: 1, ...pod.metadata, namespace, uid } };
    this.#pods.set(key, after);
    this.scheduler.podChanged(before, after);
  }

  /** Stores any other object. */
  setObject(object: KubeObject): void {
    const key = `${object.kind}/${object.metadata.namespace ?? ''}/${object.metadata.name}`;
    const before = this.#objects.get(key);
    this.#objects.set(key, object);
    this.tables.set(object.kind ?? '', object);
    const event = followedResources.find(({ kind }) => kind === object.kind)?.event;
    if (event !== undefined) {
      this.scheduler.otherChanged({
        resource: event,
        action: before === undefined ? 'add' : 'update',
        before,
        after: object,
      });
    }
  }

  /** Removes a terminating pod. */
  finish(name: string): void {
    const pod = this.pod(name);
    this.#pods.delete(`default/${name}`);
    this.scheduler.podChanged(pod, undefined);
  }

  async bind(pod: Pod, nodeName: string): Promise<void> {
    const refusal = this.refuseBinding;
    this.refuseBinding = undefined;
    if (refusal !== undefined) throw refusal;
    const current = this.#current(pod);
    const scheduled: PodCondition = { type: 'PodScheduled', status: 'True' };
    const conditions = (current.status?.conditions ?? []).filter(({ type }) => type !== scheduled.type);
    this.setPod({
      ...current,
      spec: { ...current.spec!, nodeName },
      status: { ...current.status, conditions: [...conditions, scheduled] },
    });
  }

  async patchPodStatus(pod: Pod, change: PodStatusChange): Promise<void> {
    const held = this.statusHeldUntil;
    this.statusHeldUntil = undefined;
    await held;
    const current = this.#current(pod);
    const others = (current.status?.conditions ?? []).filter(({ type }) => type !== change.condition?.type);
    const conditions = change.condition === undefined ? others : [...others, change.condition];
    const { extendedResourceClaimStatus } = change;
    const nominated = change.nominatedNodeName ?? current.status?.nominatedNodeName;
    this.setPod({
      ...current,
      status: {
        ...current.status,
        conditions,
        ...(extendedResourceClaimStatus === undefined ? {} : { extendedResourceClaimStatus }),
        ...(nominated ? { nominatedNodeName: nominated } : { nominatedNodeName: '' }),
      },
    } as Pod);
  }

  async deletePod(pod: Pod): Promise<void> {
    const current = this.#current(pod);
    const name = current.metadata?.name ?? '';
    const seen = this.deletionSeen.get(name);
    if (seen !== undefined) return void seen.then(() => this.finish(name));
    if (!this.gracefulDeletion) return this.finish(name);
    this.setPod({
      ...current,
      metadata: { ...current.metadata, deletionTimestamp: formatTime(this.clock.now()) },
    });
  }

  async selectNodeForClaim(
    { metadata }: PersistentVolumeClaim,
    nodeName: string,
  ): Promise<PersistentVolumeClaim> {
    const claim = this.#objects.get(`PersistentVolumeClaim/${metadata?.namespace}/${metadata?.name}`)!;
    const annotations = { ...claim.metadata.annotations, 'volume.kubernetes.io/selected-node': nodeName };
    const selected = { ...claim, metadata: { ...claim.metadata, annotations } };
    this.setObject(selected);
    return selected as unknown as PersistentVolumeClaim;
  }

  /** Binds the claim at once, as the volume controller would do soon. */
  async bindVolume(volume: PersistentVolume, { metadata }: PersistentVolumeClaim): Promise<PersistentVolume> {
    const claim = this.#objects.get(
      `PersistentVolumeClaim/${metadata?.namespace}/${metadata?.name}`,
    ) as KubeObject & { spec: object };
    const annotations = { ...claim.metadata.annotations, 'pv.kubernetes.io/bind-completed': 'yes' };
    const bound = {
      ...claim,
      metadata: { ...claim.metadata, annotations },
      spec: { ...claim.spec, volumeName: volume.metadata?.name },
    };
    this.setObject(bound);
    return volume;
  }

  async claimBound(
    { metadata }: PersistentVolumeClaim,
    _nodeName: string,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.tables.claim(metadata?.namespace ?? '', metadata?.name ?? '')?.spec?.volumeName) return;
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
  }

  async resourceClaim(namespace: string, name: string): Promise<ResourceClaim> {
    return this.tables.resourceClaim(namespace, name) ?? fail(`no claim ${name}`);
  }

  async createResourceClaim(claim: ResourceClaim): Promise<ResourceClaim> {
    const number = ++this.#uids;
    const name = `${claim.metadata?.generateName}${number}`;
    const metadata = { ...claim.metadata, name, uid: `uid-${number}`, resourceVersion: '1' };
    return this.updateResourceClaim({ ...claim, kind: 'ResourceClaim', metadata } as ResourceClaim);
  }

  async deleteResourceClaim(namespace: string, name: string): Promise<void> {
    const claim = await this.resourceClaim(namespace, name);
    this.#objects.delete(`ResourceClaim/${namespace}/${name}`);
    this.tables.delete('ResourceClaim', claim as KubeObject);
  }

  async updateResourceClaim(claim: ResourceClaim): Promise<ResourceClaim> {
    this.setObject(claim as KubeObject);
    return claim;
  }

  updateResourceClaimStatus = (claim: ResourceClaim): Promise<ResourceClaim> =>
    this.updateResourceClaim(claim);

  async unreserveResourceClaim(claim: ResourceClaim, podUid: string): Promise<void> {
    const reservedFor = (claim.status?.reservedFor ?? []).filter(({ uid }) => uid !== podUid);
    await this.updateResourceClaim({ ...claim, status: { ...claim.status, reservedFor } });
  }

  event({ about, reason, note }: SchedulerEvent): void {
    this.events.push(`${reason} ${about.metadata?.name}: ${note}`);
  }

  #current(pod: Pod): Pod {
    return this.#pods.get(`${pod.metadata?.namespace}/${pod.metadata?.name}`) ?? pod;
  }
}

function fail(text: string): never {
  throw new Error(text);
}

/** A node with 4 cores, 8Gi and room for 110 pods by default. */
export function node(name: string, more: NodeOptions = {}): Node {
  const labels = { 'kubernetes.io/hostname': name, ...more.labels };
  const allocatable = { cpu: '4', memory: '8Gi', pods: '110', ...more.allocatable };
  return {
    metadata: { name, labels },
    spec: { ...(more.taints === undefined ? {} : { taints: more.taints }), ...more.spec },
    status: {
      allocatable,
      capacity: allocatable,
      ...(more.images === undefined ? {} : { images: more.images }),
    },
  } as unknown as Node;
}

interface NodeOptions {
  readonly labels?: Record<string, string>;
  readonly allocatable?: Record<string, string>;
  readonly taints?: readonly object[];
  readonly spec?: object;
  readonly images?: readonly object[];
}

/** A pod with one container that requests `requests`. */
export function pod(name: string, more: PodOptions = {}): Pod {
  const { requests, ports, ...spec } = more.spec ?? {};
  const container = {
    name: 'c',
    image: 'img:1',
    ...(requests === undefined ? {} : { resources: { requests } }),
    ...(ports === undefined ? {} : { ports }),
  };
  return {
    metadata: { name, ...more.metadata },
    spec: { containers: [container], ...spec },
  } as Pod;
}

interface PodOptions {
  readonly metadata?: object;
  readonly spec?: {
    readonly requests?: Record<string, string>;
    readonly ports?: readonly object[];
    readonly [field: string]: unknown;
  };
}
