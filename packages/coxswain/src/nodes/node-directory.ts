/**
 * The nodes of one process. The directory is created before the API server, which uses it to reach them; components
 * that run nodes register when they start.
 */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeletConnection, NodeSpec } from '@coxswain/kubelet';
import type { RunningKubelets } from '@coxswain/simulated-nodes';
import type { FindProgram } from '@coxswain/simulated-nodes/cluster-network/listening.ts';
import type { RoutedNetwork } from '@coxswain/simulated-nodes/network/pod-network.ts';
import type { RealKubelet } from '@coxswain/kubelet/start-real-kubelet.ts';
import type { MeasuredUsage } from '../simulated-metrics/metrics-group.ts';
import type { RequestLoad } from '../simulated-metrics/request-load.ts';
import type { PlayedNodes } from '../stages/played-nodes.ts';

export class NodeDirectory {
  readonly #realName: string | undefined;
  /** Kept until the nodes are started. */
  #asked: number | readonly NodeSpec[] | undefined;
  #simulated: RunningKubelets | undefined;
  #network: RoutedNetwork | undefined;
  #load: RequestLoad | undefined;
  #played: PlayedNodes | undefined;
  #real: RealKubelet | undefined;

  /**
   * @param asked the nodes to simulate, or their number
   * @param realName the name of this machine, if it is a node
   */
  constructor(asked: number | readonly NodeSpec[], realName: string | undefined) {
    this.#asked = asked;
    this.#realName = realName;
  }

  /** The nodes to simulate at the next start; on a restart, the nodes that existed before. */
  get wanted(): number | readonly NodeSpec[] {
    return this.#asked ?? this.simulated.nodes;
  }

  ask(nodes: readonly NodeSpec[]): void {
    this.#asked = nodes;
  }

  get simulated(): RunningKubelets {
    return this.#simulated!;
  }

  /** The current simulated nodes. */
  get specs(): readonly NodeSpec[] {
    return this.#simulated?.nodes ?? [];
  }

  /** The network of simulated pods, as seen from outside; undefined until simulated nodes have been started. */
  get network(): RoutedNetwork | undefined {
    return this.#network;
  }

  /** @param load what the requests cost that the nodes' containers serve */
  enterSimulated(kubelets: RunningKubelets, network: RoutedNetwork, load: RequestLoad): void {
    this.#simulated = kubelets;
    this.#network = network;
    this.#load = load;
    this.#asked = undefined;
  }

  /** Finds the program of a simulated container whose image is defined. */
  readonly findProgram: FindProgram = (pod, container) => this.#simulated?.findProgram(pod, container);

  /** Registers nodes whose state is driven by kwok stages. */
  enterPlayed(nodes: PlayedNodes): void {
    this.#played = nodes;
  }

  /** Registers this machine. */
  enterReal(kubelet: RealKubelet): void {
    this.#real = kubelet;
  }

  isSimulated(name: string): boolean {
    return this.#simulated?.has(name) === true;
  }

  /** Whether the node is simulated and does not answer. */
  isLost(name: string): boolean {
    return this.isSimulated(name) && this.#simulated?.connection(name) === undefined;
  }

  /**
   * Returns the connection to a node's containers; undefined if the node is lost or does not belong to this process.
   */
  connection(node: KubeObject): KubeletConnection | undefined {
    return this.#simulated?.connection(node.metadata.name!) ?? this.#played?.connection(node);
  }

  /** Returns a page that is defined for the node in addition to those of kubelets. */
  page(node: Node, path: string): string | undefined {
    return this.#played?.page(node, path);
  }

  /** Returns the resource usage of a container that is declared by kwok's objects, or follows from its load. */
  usage(node: Node | undefined, pod: Pod, container: string) {
    return this.#played?.usage(node, pod, container) ?? this.#load?.usage(pod, container);
  }

  /** Returns measured usage on this machine; undefined for other nodes. */
  measured(name: string): Promise<MeasuredUsage> | undefined {
    return this.#real === undefined || name !== this.#realName
      ? undefined
      : this.#real.usage().then((usage) => usage.current());
  }
}
