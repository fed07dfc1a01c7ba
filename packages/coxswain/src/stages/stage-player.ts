/**
 * Runs kwok's stages: for nodes annotated with `kwok.x-k8s.io/node: fake`, the pods on them, and all objects of the
 * other kinds that stages refer to. Leases of such nodes are renewed as well.
 */

import { detach } from '@coxswain/apimachinery/detach.ts';
import {
  formatMicroTime,
  isStatusError,
  type Clock,
  type GroupVersionResource,
  type KubeObject,
  type Random,
  type Timer,
} from '@coxswain/apimachinery';
import {
  EventBroadcaster,
  discoveryClient,
  objectKey,
  restMapper,
  type InformerFactory,
  type KubeClient,
  type ResourceClient,
} from '@coxswain/client';
import type { StartedComponent } from '../components/components.ts';
import { playStage } from './play-stage.ts';
import type { Stage } from './stage.ts';
import { chooseStage, compileStage, type CompiledStage } from './stage-choice.ts';
import { IpPool } from './ip-pool.ts';

export const managedAnnotation = 'kwok.x-k8s.io/node';
const managedValue = 'fake';

/** The duration of a lease, which is renewed four times within it. */
const leaseSeconds = 40;
const renewEveryMs = 10_000;
/** The delay before a failed stage is retried. */
const retryMs = 1_000;

export interface StagePlayerOptions {
  readonly stages: readonly Stage[];
  readonly client: KubeClient;
  readonly informers: InformerFactory;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** @throws Error for a stage with an invalid expression */
export function startStages(options: StagePlayerOptions): StartedComponent {
  const compiled = options.stages.map(compileStage);
  const player = new StagePlayer(options, compiled);
  const ready = player.start();
  return { ready, stopped: Promise.resolve() };
}

interface NodeObject extends KubeObject {
  readonly status?: { readonly addresses?: readonly { readonly type: string; readonly address: string }[] };
}

class StagePlayer {
  readonly #options: StagePlayerOptions;
  readonly #stages: readonly CompiledStage[];
  readonly #timers = new Map<string, Timer>();
  readonly #ips: IpPool;
  readonly #events: EventBroadcaster;

  constructor(options: StagePlayerOptions, stages: readonly CompiledStage[]) {
    this.#options = options;
    this.#stages = stages;
    this.#events = new EventBroadcaster(options);
    const nodes = this.#informer(nodesResource).lister;
    this.#ips = new IpPool((name) => (nodes.get(name) as NodeObject | undefined)?.status?.addresses);
    options.signal.addEventListener(
      'abort',
      () => {
        for (const timer of this.#timers.values()) timer.cancel();
      },
      { once: true },
    );
  }

  async start(): Promise<void> {
    const { client } = this.#options;
    const refs = new Map(
      this.#stages.map(({ stage: { spec } }) => [
        `${spec.resourceRef.apiGroup ?? 'v1'}/${spec.resourceRef.kind}`,
        spec.resourceRef,
      ]),
    );
    const mapper = restMapper(await discoveryClient(client.rest).discover());
    for (const { apiGroup = 'v1', kind } of refs.values()) {
      const [group, version] = apiGroup.includes('/') ? apiGroup.split('/') : ['', apiGroup];
      const resource = mapper.forKind({ group: group!, kind }, version!);
      const stages = this.#stages.filter(
        ({ stage: { spec } }) =>
          spec.resourceRef.kind === kind && (spec.resourceRef.apiGroup ?? 'v1') === apiGroup,
      );
      this.#follow(resource, resource.namespaced, kind, stages);
    }
    this.#keepLeases();
  }

  #follow(
    resource: GroupVersionResource,
    namespaced: boolean,
    kind: string,
    stages: readonly CompiledStage[],
  ): void {
    const informer = this.#informer(resource);
    const look = (object: KubeObject) => this.#look(resource, namespaced, kind, stages, object);
    informer.addHandler({
      added: look,
      updated: (_before, after) => look(after),
      deleted: (object) => {
        this.#cancel(`${kind} ${objectKey(object)}`);
        this.#ips.release(object.metadata.uid ?? '');
      },
    });
    // Pods may arrive before their node is known to be a fake one.
    if (kind === 'Pod')
      this.#informer(nodesResource).addHandler({
        added: (node) => {
          for (const pod of informer.lister.list()) if (nodeNameOf(pod) === node.metadata.name) look(pod);
        },
      });
  }

  #look(
    resource: GroupVersionResource,
    namespaced: boolean,
    kind: string,
    stages: readonly CompiledStage[],
    object: KubeObject,
  ): void {
    const { clock, random } = this.#options;
    const key = `${kind} ${objectKey(object)}`;
    this.#cancel(key);
    if (!this.#isManaged(kind, object)) return;
    const chosen = chooseStage(stages, object, random);
    if (chosen === undefined) return;
    const delayMs = chosen.delayMs(object, clock.now(), random);
    const all = this.#options.client.resource(resource);
    const client = namespaced ? all.namespace(object.metadata.namespace ?? '') : all;
    const play = () => detach(this.#play(key, chosen, client, object));
    this.#timers.set(key, clock.after(delayMs, play));
  }

  async #play(
    key: string,
    { stage }: CompiledStage,
    resource: ResourceClient,
    seen: KubeObject,
  ): Promise<void> {
    const { client, clock, onError, signal } = this.#options;
    this.#timers.delete(key);
    const surroundings = {
      nowMs: () => clock.now(),
      nodeAddress: (name: string) => this.#ips.node(name),
      podAddress: (node: string, hostNetwork: boolean, uid: string) => this.#ips.pod(node, hostNetwork, uid),
    };
    const named = { apiVersion: stage.spec.resourceRef.apiGroup ?? 'v1', kind: stage.spec.resourceRef.kind };
    try {
      const events = this.#events.recorder('kwok_controller');
      await playStage(stage, { ...named, ...seen }, { client, resource, events, surroundings });
    } catch (error) {
      if (signal.aborted || isStatusError(error, 'NotFound')) return;
      onError(error);
      if (this.#timers.has(key)) return;
      this.#timers.set(
        key,
        clock.after(retryMs, () => detach(this.#play(key, compileStage(stage), resource, seen))),
      );
    }
  }

  #isManaged(kind: string, object: KubeObject): boolean {
    if (kind === 'Node') return isPlayed(object);
    if (kind !== 'Pod') return true;
    const node = this.#informer(nodesResource).lister.get(nodeNameOf(object));
    return node !== undefined && isPlayed(node);
  }

  #cancel(key: string): void {
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }

  #informer(resource: GroupVersionResource) {
    return this.#options.informers.informer<KubeObject>(resource);
  }

  #keepLeases(): void {
    const { clock, signal, onError } = this.#options;
    const leases = this.#options.client
      .resource('coordination.k8s.io/v1', 'leases')
      .namespace('kube-node-lease');
    const renew = async () => {
      for (const node of this.#informer(nodesResource).lister.list().filter(isPlayed)) {
        const name = node.metadata.name ?? '';
        const spec = {
          holderIdentity: 'kwok-controller',
          leaseDurationSeconds: leaseSeconds,
          renewTime: formatMicroTime(clock.now()),
        };
        const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name }, spec };
        await leases.apply(lease, { fieldManager: 'kwok', force: true }).catch(onError);
      }
      if (!signal.aborted) renewIn(renewEveryMs);
    };
    const renewIn = (delayMs: number): void =>
      void this.#timers.set(
        'leases',
        clock.after(delayMs, () => detach(renew()), { idle: true }),
      );
    // The nodes of the initial list are known a moment later.
    renewIn(0);
  }
}

const nodesResource = { group: '', version: 'v1', resource: 'nodes' };

export const isPlayed = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.[managedAnnotation] === managedValue;

const nodeNameOf = (pod: KubeObject): string =>
  (pod as { readonly spec?: { readonly nodeName?: string } }).spec?.nodeName ?? '';
