import { systemClock, systemRandom, type KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { InformerFactory } from '@coxswain/client';
import type { KubeletConnection } from '@coxswain/kubelet/connection.ts';
import type { NodeSpec } from '@coxswain/kubelet/node/node-spec.ts';
import type { FindProgram } from './cluster-network/listening.ts';
import { followPods, podsOn } from './follow-pods.ts';
import { NodeLifecycle, ignoreAbort, type SimulatedNode } from './node-lifecycle.ts';
import { nodeSpecs } from './numbered-nodes.ts';
import { SimulatedMachines } from './simulated-machines.ts';
import type { StartSimulatedKubeletsOptions } from './start-options.ts';

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

/** Starts the kubelets of simulated nodes in this process. They share one watch of pods. */
export function startSimulatedKubelets(options: StartSimulatedKubeletsOptions): RunningKubelets {
  const { client, signal, observer } = options;
  const clock = options.clock ?? systemClock;
  const random = options.random ?? systemRandom;
  const onError = options.onError ?? (() => {});
  const factory =
    options.informers ??
    new InformerFactory({ client, sharesEqualParts: true, clock, random, observer, onError });
  const nodeInformer = factory.informer<Node & KubeObject>({ group: '', version: 'v1', resource: 'nodes' });
  const machines = new SimulatedMachines(options, {
    clock,
    random,
    onError,
    informers: factory,
    nodes: nodeInformer.lister,
  });
  const simulated = nodeSpecs(options.nodes).map((spec) => machines.create(spec));
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
    findProgram: machines.findProgram,
    connection: (nodeName) => (life.isDown(nodeName) ? undefined : byName.get(nodeName)?.kubelet),
    fail: (nodeName) => life.fail(nodeNamed(nodeName)),
    async add(spec) {
      if (byName.has(spec.name)) throw new Error(`simulated node "${spec.name}" already exists`);
      const node = machines.create(spec);
      byName.set(spec.name, node);
      try {
        await life.begin(node);
      } catch (error) {
        byName.delete(spec.name);
        machines.remove(spec.name);
        throw error;
      }
    },
    async remove(nodeName) {
      const node = nodeNamed(nodeName);
      await life.fail(node);
      byName.delete(nodeName);
      machines.remove(nodeName);
    },
    recover: (nodeName) => life.recover(nodeNamed(nodeName)),
  };
}
