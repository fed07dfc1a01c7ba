/**
 * The nodes of one process. It is there before the API server, which finds its way to them here; whatever runs nodes
 * enters itself when it starts.
 */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeletConnection, NodeSpec } from '@coxswain/kubelet';
import type { RunningKubelets } from '@coxswain/simulated-nodes';
import type { FindProgram } from '@coxswain/simulated-nodes/cluster-network/listening.ts';
import type { PodNetwork } from '@coxswain/simulated-nodes/network/pod-network.ts';
import type { RealKubelet } from '@coxswain/kubelet/start-real-kubelet.ts';
import type { MeasuredUsage } from '../simulated-metrics/metrics-group.ts';
import type { PlayedNodes } from '../stages/played-nodes.ts';

export class NodeDirectory {
  readonly #realName: string | undefined;
  /** Until they are started. */
  #asked: number | readonly NodeSpec[] | undefined;
  #simulated: RunningKubelets | undefined;
  #network: PodNetwork | undefined;
  #played: PlayedNodes | undefined;
  #real: RealKubelet | undefined;

  /**
   * @param asked which nodes are to be simulated, or how many
   * @param realName of this machine, where it is a node
   */
  constructor(asked: number | readonly NodeSpec[], realName: string | undefined) {
    this.#asked = asked;
    this.#realName = realName;
  }

  /** Which nodes are to be simulated when they are started: started once more, those that there were. */
  get wanted(): number | readonly NodeSpec[] {
    return this.#asked ?? this.simulated.nodes;
  }

  ask(nodes: readonly NodeSpec[]): void {
    this.#asked = nodes;
  }

  get simulated(): RunningKubelets {
    return this.#simulated!;
  }

  /** The simulated nodes that are there now. */
  get specs(): readonly NodeSpec[] {
    return this.#simulated?.nodes ?? [];
  }

  /** The network of simulated pods, as somebody outside reaches it. */
  get network(): PodNetwork {
    return this.#network!;
  }

  enterSimulated(kubelets: RunningKubelets, network: PodNetwork): void {
    this.#simulated = kubelets;
    this.#network = network;
    this.#asked = undefined;
  }

  /** What a simulated container runs, where its image is defined. */
  readonly findProgram: FindProgram = (pod, container) => this.#simulated?.findProgram(pod, container);

  /** Those whose state stages play. */
  enterPlayed(nodes: PlayedNodes): void {
    this.#played = nodes;
  }

  /** This machine. */
  enterReal(kubelet: RealKubelet): void {
    this.#real = kubelet;
  }

  isSimulated(name: string): boolean {
    return this.#simulated?.has(name) === true;
  }

  /** A simulated one that does not answer. */
  isLost(name: string): boolean {
    return this.isSimulated(name) && this.#simulated?.connection(name) === undefined;
  }

  /** The way to the containers of a node; undefined for one that is lost, or that no part of this process plays. */
  connection(node: KubeObject): KubeletConnection | undefined {
    return this.#simulated?.connection(node.metadata.name!) ?? this.#played?.connection(node);
  }

  /** A page that is described for the node, beside those that kubelets have. */
  page(node: Node, path: string): string | undefined {
    return this.#played?.page(node, path);
  }

  /** What is said that a container uses. */
  usage(node: Node | undefined, pod: Pod, container: string) {
    return this.#played?.usage(node, pod, container);
  }

  /** What is measured on this machine; undefined for all others. */
  measured(name: string): Promise<MeasuredUsage> | undefined {
    return this.#real === undefined || name !== this.#realName
      ? undefined
      : this.#real.usage().then((usage) => usage.current());
  }
}
