import type { Clock, KubeObject, Random, StepObserver } from '@coxswain/apimachinery';
import { StatusError, systemClock, systemRandom } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { EventBroadcaster, InformerFactory, TokenBucket } from '@coxswain/client';
import type { EventRecorder, KubeClient } from '@coxswain/client';
import type { KubeletConnection } from './connection.ts';
import { Kubelet } from './kubelet.ts';
import { NodeAgent } from './node/node-agent.ts';
import { nodeSpecs } from './node/node-spec.ts';
import type { NodeSpec } from './node/node-spec.ts';
import type { PodEvent } from './pod/pod-worker.ts';
import type { ReadData } from './simulated/process/mounted-volumes.ts';
import { SimulatedRuntime } from './simulated/simulated-runtime.ts';
import { StatusWriter } from './status/status-writer.ts';

/** How many events are written for all nodes of the process; the original's limits for one kubelet. */
export const eventsPerSecondDefault = 50;
export const eventBurstDefault = 100;
/** Nodes that register at once. */
const registrationsInFlightMax = 32;

export interface StartKubeletsOptions {
  readonly client: KubeClient;
  /** So many simulated nodes, or these. */
  readonly nodes: number | readonly NodeSpec[];
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly observer?: StepObserver | undefined;
  /** Shared with other components of the process, and started by whoever made it; own ones when absent. */
  readonly informers?: InformerFactory;
  readonly eventsPerSecond?: number;
  readonly eventBurst?: number;
  readonly onError?: (error: unknown) => void;
}

export interface RunningKubelets {
  readonly nodes: readonly NodeSpec[];
  /** Resolves when the API has all nodes. */
  readonly registered: Promise<void>;
  /** Resolves when everything has stopped after the signal. */
  readonly stopped: Promise<void>;
  /** The way to a node's containers; undefined for a node that is not one of these. */
  connection(nodeName: string): KubeletConnection | undefined;
}

/** Starts the kubelets of simulated nodes in this process. They share one watch of pods. */
export function startKubelets(options: StartKubeletsOptions): RunningKubelets {
  const { client, signal, observer } = options;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const onError = options.onError ?? (() => {});
  const specs = nodeSpecs(options.nodes);
  const pods = client.resource<Pod & KubeObject>('v1', 'pods');
  const writer = new StatusWriter({ pods, clock, onError });
  signal.addEventListener('abort', () => writer.stop(), { once: true });
  const recorderFor = eventRecorders(options, clock, random, onError);
  const kubelets = new Map<string, Kubelet>();
  const factory = options.informers ?? new InformerFactory({ client, clock, random, observer, onError });
  const nodes = factory.informer<Node & KubeObject>({ group: '', version: 'v1', resource: 'nodes' }).lister;
  const agents = specs.map((spec) => {
    const runtime = new SimulatedRuntime({ clock, random, podCidr: spec.podCidr, read: dataReader(client) });
    const recorder = recorderFor(spec.name);
    const event = (pod: Pod, told: PodEvent) => recordPodEvent(recorder, pod, told);
    kubelets.set(
      spec.name,
      new Kubelet({
        spec,
        runtime,
        clock,
        observer,
        writer,
        node: () => nodes.get(spec.name),
        event,
        onError,
      }),
    );
    const runtimeVersion = `${runtime.name}://${runtime.version}`;
    return {
      agent: new NodeAgent({ client, clock, random, spec, runtimeVersion, signal, onError }),
      spec,
      recorder,
    };
  });
  signal.addEventListener('abort', () => kubelets.forEach((kubelet) => kubelet.stop()), { once: true });
  followPods(factory, kubelets);
  if (options.informers === undefined) factory.start(signal);
  const registered = registerAll(agents);
  const running = registered.then(() => Promise.all(agents.map(({ agent }) => agent.run())));
  const informersStopped = options.informers === undefined ? factory.stopped() : undefined;
  const stopped = Promise.all([ignoreAbort(running, signal), informersStopped]).then(() => {});
  return {
    nodes: specs,
    registered: ignoreAbort(registered, signal).then(() => {}),
    stopped,
    connection: (nodeName) => kubelets.get(nodeName),
  };
}

/** Content of ConfigMaps and Secrets, for commands that look at what is mounted. */
function dataReader(client: KubeClient): ReadData {
  return async (resource, namespace, name) => {
    try {
      const object = await client
        .resource<KubeObject & DataObject>('v1', resource)
        .namespace(namespace)
        .get(name);
      const text = Object.entries(object.data ?? {});
      const isText = resource === 'configmaps';
      const bytes = Object.entries(object.binaryData ?? {}).concat(isText ? [] : text);
      return Object.fromEntries([
        ...(isText ? text.map(([key, value]) => [key, new TextEncoder().encode(value)] as const) : []),
        ...bytes.map(([key, value]) => [key, Uint8Array.fromBase64(value)] as const),
      ]);
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return undefined;
      throw error;
    }
  };
}

interface DataObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

/** Hands every change of a pod to the kubelet of its node. */
function followPods(factory: InformerFactory, kubelets: ReadonlyMap<string, Kubelet>): void {
  const kubeletOf = (pod: Pod) => kubelets.get(pod.spec?.nodeName ?? '');
  factory.informer<Pod & KubeObject>({ group: '', version: 'v1', resource: 'pods' }).addHandler({
    added: (pod) => kubeletOf(pod)?.podChanged(pod),
    updated(before, after) {
      // A pod of the same name that was made anew is another one.
      if (before.metadata.uid !== after.metadata.uid) kubeletOf(before)?.podGone(before);
      kubeletOf(after)?.podChanged(after);
    },
    deleted: (pod) => kubeletOf(pod)?.podGone(pod),
  });
}

interface RegisteringNode {
  readonly agent: NodeAgent;
  readonly spec: NodeSpec;
  readonly recorder: EventRecorder;
}

async function registerAll(agents: readonly RegisteringNode[]): Promise<void> {
  const waiting = [...agents];
  const registerNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await next.agent.register();
      const { name } = next.spec;
      const reference = { kind: 'Node', name, uid: name };
      next.recorder.event(reference, 'Normal', 'Starting', 'Starting kubelet.');
      next.recorder.event(reference, 'Normal', 'NodeReady', `Node ${name} status is now: NodeReady`);
    }
  };
  await Promise.all(Array.from({ length: registrationsInFlightMax }, registerNext));
}

function eventRecorders(
  options: StartKubeletsOptions,
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

/** Being stopped is no failure. */
async function ignoreAbort(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
