/** What a simulated node consists of: a runtime without containers, the kubelet of a real node, and its heartbeats. */

import type { Clock, KubeObject, Random } from '@coxswain/apimachinery';
import { TimerWheel } from '@coxswain/apimachinery/timer-wheel.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { EventRecorder, InformerFactory, Lister } from '@coxswain/client';
import { Kubelet } from '@coxswain/kubelet/kubelet.ts';
import { NodeAgent } from '@coxswain/kubelet/node/node-agent.ts';
import { defaultCapacity, type NodeSpec } from '@coxswain/kubelet/node/node-spec.ts';
import { StatusWriter } from '@coxswain/kubelet/status/status-writer.ts';
import { ApiSources } from '@coxswain/kubelet/volumes/api-sources.ts';
import { clusterNetwork } from './cluster-network/cluster-network.ts';
import type { FindProgram } from './cluster-network/listening.ts';
import { VolumeFiles } from './container/volume-files.ts';
import type { SimulatedNode } from './node-lifecycle.ts';
import { eventRecorders, recordPodEvent } from './pod-events.ts';
import { simulatedSources } from './process/pod-sources.ts';
import { SimulatedRuntime } from './simulated-runtime.ts';
import type { StartSimulatedKubeletsOptions } from './start-options.ts';

/** Nodes whose leases are due within this period renew them together. */
const heartbeatTickMs = 50;

export interface SharedParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: unknown) => void;
  readonly informers: InformerFactory;
  readonly nodes: Lister<Node & KubeObject>;
}

/** Creates nodes from the parts that they share. */
export class SimulatedMachines {
  readonly #options: StartSimulatedKubeletsOptions;
  readonly #shared: SharedParts;
  readonly #runtimes = new Map<string, SimulatedRuntime>();
  readonly #volumeFiles = new VolumeFiles();
  readonly #heartbeats: TimerWheel;
  readonly #writer: StatusWriter;
  readonly #recorderFor: (nodeName: string) => EventRecorder;
  readonly #sources: ApiSources;
  readonly #services: Lister<Service & KubeObject>;
  readonly #network: ReturnType<typeof clusterNetwork>;

  constructor(options: StartSimulatedKubeletsOptions, shared: SharedParts) {
    this.#options = options;
    this.#shared = shared;
    const { client, signal, observer, judge, router, onRequest } = options;
    const { clock, random, onError, informers } = shared;
    this.#heartbeats = new TimerWheel(clock, heartbeatTickMs);
    const pods = client.resource<Pod & KubeObject>('v1', 'pods');
    this.#writer = new StatusWriter({ pods, clock, onError, observer });
    signal.addEventListener('abort', () => this.#writer.stop(), { once: true });
    this.#recorderFor = eventRecorders(options, clock, random, onError);
    // Read on demand: there are many simulated pods, and few of them refer to objects.
    this.#sources = new ApiSources({ strategy: 'Get', client, clock, random, signal, onError });
    this.#services = informers.informer<Service & KubeObject>(servicesResource).lister;
    informers
      .informer(volumesResource)
      .addHandler({ deleted: ({ metadata }) => this.#volumeFiles.forget(metadata.name ?? '') });
    this.#network = clusterNetwork({ client, judge, router, onRequest, findProgram: this.findProgram });
  }

  readonly findProgram: FindProgram = ({ metadata, spec }, container) =>
    this.#runtimes.get(spec?.nodeName ?? '')?.listening(metadata?.uid ?? '', container);

  create(spec: NodeSpec): SimulatedNode {
    const { client, observer } = this.#options;
    const { clock, random, onError, nodes } = this.#shared;
    const runtime = this.#runtimeOf(spec);
    const recorder = this.#recorderFor(spec.name);
    const runtimeVersion = `${runtime.name}://${runtime.version}`;
    return {
      spec,
      recorder,
      kubelet: new Kubelet({
        spec,
        runtime,
        clock,
        observer,
        writer: this.#writer,
        node: () => nodes.get(spec.name),
        event: (pod, reported) => recordPodEvent(recorder, pod, reported),
        onError,
      }),
      agentUntil: (signal) =>
        new NodeAgent({ client, clock: this.#heartbeats, random, spec, runtimeVersion, signal, onError }),
    };
  }

  /** Removes a node's containers. */
  remove(nodeName: string): void {
    this.#runtimes.delete(nodeName);
  }

  #runtimeOf(spec: NodeSpec): SimulatedRuntime {
    const { containerStopMs, images, observer } = this.#options;
    const { clock, random } = this.#shared;
    const runtime = new SimulatedRuntime({
      clock,
      random,
      podCidr: spec.podCidr,
      sources: simulatedSources(this.#sources),
      facts: { hostIps: [spec.address], allocatable: { ...defaultCapacity, ...spec.capacity } },
      network: this.#network,
      services: () => this.#services.list(),
      volumeFiles: this.#volumeFiles,
      stopMs: containerStopMs,
      images,
      observer,
    });
    this.#runtimes.set(spec.name, runtime);
    return runtime;
  }
}

const servicesResource = { group: '', version: 'v1', resource: 'services' } as const;
const volumesResource = { group: '', version: 'v1', resource: 'persistentvolumes' } as const;
