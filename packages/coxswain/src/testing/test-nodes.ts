/** The simulated nodes of a test cluster, which come and go while the test runs. */

import type { KubeObject } from '@coxswain/apimachinery';
import { isStatusError } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import { numberedNode } from '@coxswain/kubelet';
import type { NodeSpec, RunningKubelets } from '@coxswain/kubelet';

/** What is absent is as of the next `node-<number>`. */
export type NewNode = Partial<NodeSpec>;

/** @throws TypeError for what is no node */
export function wholeNodes(nodes: readonly NewNode[]): readonly NodeSpec[] {
  return nodes.map((node, index) => ({ ...numberedNode(index), ...asNode(node) }));
}

function asNode(node: NewNode): NewNode {
  if (typeof node === 'object' && node !== null) return node;
  throw new TypeError(
    `a node is such as { name: "a", labels: { size: "big" } }, not ${JSON.stringify(node)}`,
  );
}

export interface TestNodes {
  /** Of those that are there now, the lost ones too. */
  readonly names: readonly string[];
  /** One more; resolves with its name when the API knows it. @throws Error when there is one, or the API refuses it */
  add(node?: NewNode): Promise<string>;
  /** Takes it away for good, with its containers, and deletes its Node; its pods are left to the controllers. */
  remove(name: string): Promise<void>;
  /** The node is lost: no lease, no kubelet. Its containers go on. */
  fail(name: string): Promise<void>;
  recover(name: string): Promise<void>;
}

export class SimulatedNodes implements TestNodes {
  /** Another one after its component was restarted. */
  readonly #kubelets: () => RunningKubelets;
  readonly #client: KubeClient;
  readonly #failed = new Set<string>();

  constructor(kubelets: () => RunningKubelets, client: KubeClient) {
    this.#kubelets = kubelets;
    this.#client = client;
  }

  get names(): readonly string[] {
    return this.specs.map(({ name }) => name);
  }

  get specs(): readonly NodeSpec[] {
    return this.#kubelets().nodes;
  }

  async add(node: NewNode = {}): Promise<string> {
    const spec = { ...this.#next(), ...asNode(node) };
    await this.#kubelets().add(spec);
    return spec.name;
  }

  async remove(name: string): Promise<void> {
    await this.#kubelets().remove(name);
    this.#failed.delete(name);
    try {
      await this.#client.resource<KubeObject>('v1', 'nodes').delete(name);
    } catch (failure) {
      if (!isStatusError(failure, 'NotFound')) throw failure;
    }
  }

  async fail(name: string): Promise<void> {
    await this.#kubelets().fail(name);
    this.#failed.add(name);
  }

  async recover(name: string): Promise<void> {
    await this.#kubelets().recover(name);
    this.#failed.delete(name);
  }

  /** No node is lost, and none is there that is not among these. */
  async keepOnly(specs: readonly NodeSpec[]): Promise<void> {
    for (const spec of this.specs)
      if (!specs.includes(spec)) {
        this.#failed.delete(spec.name);
        await this.#kubelets().remove(spec.name);
      }
    for (const name of this.#failed) await this.recover(name);
  }

  /** Those of these that are not there come back. */
  async bringBack(specs: readonly NodeSpec[]): Promise<void> {
    const { specs: present } = this;
    for (const spec of specs) if (!present.includes(spec)) await this.#kubelets().add(spec);
  }

  #next(): NodeSpec {
    const { specs } = this;
    const isTaken = (node: NodeSpec) =>
      specs.some(({ name, address }) => name === node.name || address === node.address);
    let index = specs.length;
    while (isTaken(numberedNode(index))) index++;
    return numberedNode(index);
  }
}
