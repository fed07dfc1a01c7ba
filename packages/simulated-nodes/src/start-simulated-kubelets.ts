import {
  systemClock,
  systemRandom,
  type Clock,
  type KubeObject,
  type Random,
  type StepObserver,
} from '@coxswain/apimachinery';
import { TimerWheel } from '@coxswain/apimachinery/timer-wheel.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import {
  EventBroadcaster,
  InformerFactory,
  TokenBucket,
  type EventRecorder,
  type KubeClient,
} from '@coxswain/client';
import type { KubeletConnection } from '@coxswain/kubelet/connection.ts';
import { eventBurstDefault, eventsPerSecondDefault } from '@coxswain/kubelet/event-limits.ts';
import { Kubelet } from '@coxswain/kubelet/kubelet.ts';
import { NodeAgent } from '@coxswain/kubelet/node/node-agent.ts';
import { NodeLifecycle, ignoreAbort, type SimulatedNode } from './node-lifecycle.ts';
import { defaultCapacity, type NodeSpec } from '@coxswain/kubelet/node/node-spec.ts';
import { nodeSpecs } from './numbered-nodes.ts';
import type { PodEvent } from '@coxswain/kubelet/pod/pod-worker-context.ts';
import { clusterNetwork, type ClusterNetworkOptions } from './cluster-network/cluster-network.ts';
import type { FlowJudge, ServiceRouter } from './network/flow.ts';
import type { FindProgram } from './cluster-network/listening.ts';
import type { DefinedImages } from './program/defined-images.ts';
import { simulatedSources } from './process/pod-sources.ts';
import { VolumeFiles } from './container/volume-files.ts';
import { SimulatedRuntime } from './simulated-runtime.ts';
import { StatusWriter } from '@coxswain/kubelet/status/status-writer.ts';
import { ApiSources } from '@coxswain/kubelet/volumes/api-sources.ts';

export interface StartSimulatedKubeletsOptions {
  readonly client: KubeClient;
  /** This many simulated nodes, or those in the list. */
  readonly nodes: number | readonly NodeSpec[];
  /** How long simulated containers take to stop unless their pod says otherwise. Defaults to no time at all. */
  readonly containerStopMs?: number | undefined;
  /** Decides what may pass between simulated pods; everything if unset. */
  readonly judge?: FlowJudge | undefined;
  /** Translates the addresses of Services; there are none if unset. */
  readonly router?: ServiceRouter | undefined;
  /** Called for each request that a container is sent. */
  readonly onRequest?: ClusterNetworkOptions['onRequest'];
  /** Images whose programs are functions. */
  readonly images?: DefinedImages | undefined;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly observer?: StepObserver | undefined;
  /** Shared with other components of the process, and started by the caller. Own informers if unset. */
  readonly informers?: InformerFactory;
  readonly eventsPerSecond?: number;
  readonly eventBurst?: number;
  readonly onError?: (error: unknown) => void;
}

export interface RunningKubelets {
  /** The current nodes, including lost ones. */
  readonly nodes: readonly NodeSpec[];
  /** Resolves when all nodes are registered with the API. */
  readonly registered: Promise<void>;
  /** Resolves when everything has stopped after the signal. */
  readonly stopped: Promise<void>;
  /** Whether it is one of these nodes, including lost ones. */
  has(nodeName: string): boolean;
  /** The functions that a container of these nodes runs. */
  readonly findProgram: FindProgram;
  /** Gives access to a node's containers; undefined if the node is not one of these or is lost. */
  connection(nodeName: string): KubeletConnection | undefined;
  /**
   * Loses the node: its lease is no longer renewed and nobody looks after its pods, whose containers keep running.
   * @throws Error if there is no node with this name
   */
  fail(nodeName: string): Promise<void>;
  /** Adds a node; resolves when it is registered. @throws Error if the name is taken */
  add(node: NodeSpec): Promise<void>;
  /**
   * Removes the machine with its containers. The caller deletes the API objects.
   * @throws Error if there is no node with this name
   */
  remove(nodeName: string): Promise<void>;
  /** Brings a lost node back; resolves when it is registered. @throws Error if there is no node with this name */
  recover(nodeName: string): Promise<void>;
}

/** Nodes whose leases are due within this period renew them together. */
const heartbeatTickMs = 50;

/** Starts the kubelets of simulated nodes in this process. They share one watch of pods. */
export function startSimulatedKubelets(options: StartSimulatedKubeletsOptions): RunningKubelets {
  const { client, signal, observer } = options;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const onError = options.onError ?? (() => {});
  const pods = client.resource<Pod & KubeObject>('v1', 'pods');
  const writer = new StatusWriter({ pods, clock, onError, observer });
  signal.addEventListener('abort', () => writer.stop(), { once: true });
  const recorderFor = eventRecorders(options, clock, random, onError);
  const factory =
    options.informers ??
    new InformerFactory({ client, sharesEqualParts: true, clock, random, observer, onError });
  const nodeInformer = factory.informer<Node & KubeObject>({ group: '', version: 'v1', resource: 'nodes' });
  const nodes = nodeInformer.lister;
  const services = factory.informer<Service & KubeObject>({
    group: '',
    version: 'v1',
    resource: 'services',
  }).lister;
  const volumeFiles = new VolumeFiles();
  factory
    .informer({ group: '', version: 'v1', resource: 'persistentvolumes' })
    .addHandler({ deleted: ({ metadata }) => volumeFiles.forget(metadata.name ?? '') });
  // Read on demand: there are many simulated pods, and few of them refer to objects.
  const sources = new ApiSources({
    strategy: 'Get',
    client,
    clock,
    random,
    signal,
    onError,
  });
  const heartbeats = new TimerWheel(clock, heartbeatTickMs);
  const runtimes = new Map<string, SimulatedRuntime>();
  const findProgram: FindProgram = ({ metadata, spec }, container) =>
    runtimes.get(spec?.nodeName ?? '')?.listening(metadata?.uid ?? '', container);
  const { judge, router, onRequest } = options;
  const network = clusterNetwork({ client, judge, router, onRequest, findProgram });
  const simulate = (spec: NodeSpec): SimulatedNode => {
    const runtime = new SimulatedRuntime({
      clock,
      random,
      podCidr: spec.podCidr,
      sources: simulatedSources(sources),
      facts: { hostIps: [spec.address], allocatable: { ...defaultCapacity, ...spec.capacity } },
      network,
      services: () => services.list(),
      volumeFiles,
      stopMs: options.containerStopMs,
      images: options.images,
      observer,
    });
    runtimes.set(spec.name, runtime);
    const recorder = recorderFor(spec.name);
    const event = (pod: Pod, reported: PodEvent) => recordPodEvent(recorder, pod, reported);
    const parts = {
      spec,
      runtime,
      clock,
      observer,
      writer,
      node: () => nodes.get(spec.name),
      event,
      onError,
    };
    const runtimeVersion = `${runtime.name}://${runtime.version}`;
    return {
      spec,
      recorder,
      kubelet: new Kubelet(parts),
      agentUntil: (until) =>
        new NodeAgent({ client, clock: heartbeats, random, spec, runtimeVersion, signal: until, onError }),
    };
  };
  const simulated = nodeSpecs(options.nodes).map(simulate);
  const byName = new Map(simulated.map((node) => [node.spec.name, node]));
  const life = new NodeLifecycle({ signal, onError, podsOf: podsOn(factory) });
  nodeInformer.addHandler({ updated: (_before, node) => life.nodeChanged(node) });
  signal.addEventListener('abort', () => byName.forEach(({ kubelet }) => kubelet.stop()), { once: true });
  followPods(factory, (name) => (life.isDown(name) ? undefined : byName.get(name)?.kubelet)).catch(onError);
  if (options.informers === undefined) factory.start(signal);
  const registered = life.startAll(simulated);
  const informersStopped = options.informers === undefined ? factory.stopped() : undefined;
  const running = registered.then(() => life.stopped());
  const stopped = Promise.all([ignoreAbort(running, signal), informersStopped]).then(() => {});
  // Reported to whoever awaits the nodes.
  stopped.catch(() => undefined);
  const nodeNamed = (name: string): SimulatedNode => {
    const node = byName.get(name);
    if (node === undefined) throw new Error(`no simulated node named "${name}"`);
    return node;
  };
  return {
    get nodes() {
      return [...byName.values()].map(({ spec }) => spec);
    },
    registered: ignoreAbort(registered, signal).then(() => {}),
    stopped,
    has: (nodeName) => byName.has(nodeName),
    findProgram,
    connection: (nodeName) => (life.isDown(nodeName) ? undefined : byName.get(nodeName)?.kubelet),
    fail: (nodeName) => life.fail(nodeNamed(nodeName)),
    async add(spec) {
      if (byName.has(spec.name)) throw new Error(`simulated node "${spec.name}" already exists`);
      const node = simulate(spec);
      byName.set(spec.name, node);
      try {
        await life.begin(node);
      } catch (error) {
        byName.delete(spec.name);
        runtimes.delete(spec.name);
        throw error;
      }
    },
    async remove(nodeName) {
      const node = nodeNamed(nodeName);
      await life.fail(node);
      byName.delete(nodeName);
      runtimes.delete(nodeName);
    },
    recover: (nodeName) => life.recover(nodeNamed(nodeName)),
  };
}

/** The known pods of a node. */
const podsOn = (factory: InformerFactory) => (nodeName: string) => {
  const { lister } = factory.informer<Pod & KubeObject>({ group: '', version: 'v1', resource: 'pods' });
  return lister.list().filter(({ spec }) => spec?.nodeName === nodeName);
};

/** Passes all existing pods to the kubelets of their nodes, and then every change. */
async function followPods(
  factory: InformerFactory,
  kubeletOn: (nodeName: string) => Kubelet | undefined,
): Promise<void> {
  const informer = factory.informer<Pod & KubeObject>({ group: '', version: 'v1', resource: 'pods' });
  const kubeletOf = (pod: Pod) => (hasBegun ? kubeletOn(pod.spec?.nodeName ?? '') : undefined);
  let hasBegun = false;
  informer.addHandler({
    added: (pod) => kubeletOf(pod)?.podChanged(pod),
    updated(before, after) {
      // A pod that was recreated with the same name is a different pod.
      if (before.metadata.uid !== after.metadata.uid) kubeletOf(before)?.podGone(before);
      kubeletOf(after)?.podChanged(after);
    },
    deleted: (pod) => kubeletOf(pod)?.podGone(pod),
  });
  await informer.synced;
  hasBegun = true;
  const byNode = Map.groupBy(informer.lister.list(), ({ spec }) => spec?.nodeName ?? '');
  for (const [name, pods] of byNode) kubeletOn(name)?.takeUp(pods);
}

function eventRecorders(
  options: StartSimulatedKubeletsOptions,
  clock: Clock,
  random: Random,
  onError: (error: unknown) => void,
): (nodeName: string) => EventRecorder {
  const perSecond = options.eventsPerSecond ?? eventsPerSecondDefault;
  const rateLimiter = new TokenBucket(clock, perSecond, options.eventBurst ?? eventBurstDefault);
  const broadcaster = new EventBroadcaster({
    client: options.client.with({ rateLimiter }),
    clock,
    random,
    onError,
    signal: options.signal,
  });
  return (nodeName) => broadcaster.recorder('kubelet', nodeName);
}

function recordPodEvent(recorder: EventRecorder, { metadata, spec }: Pod, event: PodEvent): void {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata ?? {};
  const isInit = spec?.initContainers?.some((container) => container.name === event.container) ?? false;
  const fieldPath = event.container && `spec.${isInit ? 'initContainers' : 'containers'}{${event.container}}`;
  const reference = { kind: 'Pod', apiVersion: 'v1', namespace, name, uid, resourceVersion };
  recorder.event(
    fieldPath ? { ...reference, fieldPath } : reference,
    event.type,
    event.reason,
    event.message,
  );
}
