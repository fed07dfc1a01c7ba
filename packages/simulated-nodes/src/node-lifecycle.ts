/** The lifecycle of simulated nodes: they register, run, are lost and come back. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { EventRecorder } from '@coxswain/client';
import type { Kubelet } from '@coxswain/kubelet/kubelet.ts';
import type { NodeAgent } from '@coxswain/kubelet/node/node-agent.ts';
import type { NodeSpec } from '@coxswain/kubelet/node/node-spec.ts';

/** The number of nodes that register concurrently. */
const registrationsInFlightMax = 32;

export interface SimulatedNode {
  readonly spec: NodeSpec;
  readonly kubelet: Kubelet;
  readonly recorder: EventRecorder;
  agentUntil(signal: AbortSignal): NodeAgent;
}

export interface NodeLifecycleOptions {
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  readonly podsOf: (nodeName: string) => readonly Pod[];
}

interface UpNode {
  readonly stopping: AbortController;
  readonly agent: NodeAgent;
  running: Promise<unknown>;
}

export class NodeLifecycle {
  readonly #options: NodeLifecycleOptions;
  readonly #down = new Set<string>();
  readonly #up = new Map<string, UpNode>();

  constructor(options: NodeLifecycleOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#stopAll(options.signal.reason), { once: true });
  }

  isDown(nodeName: string): boolean {
    return this.#down.has(nodeName);
  }

  /** Resolves when all nodes are registered with the API. */
  async startAll(nodes: readonly SimulatedNode[]): Promise<void> {
    const waiting = [...nodes];
    const startNext = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await this.#start(next);
    };
    await Promise.all(Array.from({ length: registrationsInFlightMax }, startNext));
  }

  async fail({ spec, kubelet }: SimulatedNode): Promise<void> {
    const { name } = spec;
    this.#down.add(name);
    kubelet.stop();
    const up = this.#up.get(name);
    this.#up.delete(name);
    up?.stopping.abort(new Error(`node ${name} is lost`));
    await up?.running;
  }

  async recover(node: SimulatedNode): Promise<void> {
    if (this.#down.has(node.spec.name)) await this.begin(node);
  }

  /** A node that is new or was lost. */
  async begin(node: SimulatedNode): Promise<void> {
    this.#down.delete(node.spec.name);
    await this.#start(node);
    node.kubelet.takeUp(this.#options.podsOf(node.spec.name));
  }

  /** The object of a node was written; the node may not be one of these. */
  nodeChanged(node: Node & KubeObject): void {
    detach(this.#up.get(node.metadata.name ?? '')?.agent.nodeChanged(node));
  }

  /** Resolves when no node is running anymore. */
  async stopped(): Promise<void> {
    await Promise.all([...this.#up.values()].map(({ running }) => running));
  }

  async #start({ spec, recorder, agentUntil }: SimulatedNode): Promise<void> {
    const { signal, onError } = this.#options;
    const stopping = new AbortController();
    if (signal.aborted) stopping.abort(signal.reason);
    const agent = agentUntil(stopping.signal);
    const up: UpNode = { stopping, agent, running: Promise.resolve() };
    this.#up.set(spec.name, up);
    await agent.register();
    reportStart(recorder, spec.name);
    up.running = ignoreAbort(agent.run(), stopping.signal).catch(onError);
  }

  #stopAll(reason: unknown): void {
    for (const { stopping } of this.#up.values()) stopping.abort(reason);
  }
}

function reportStart(recorder: EventRecorder, name: string): void {
  const reference = { kind: 'Node', name, uid: name };
  recorder.event(reference, 'Normal', 'Starting', 'Starting kubelet.');
  recorder.event(reference, 'Normal', 'NodeReady', `Node ${name} status is now: NodeReady`);
}

/** Being stopped is not a failure. */
export async function ignoreAbort(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
