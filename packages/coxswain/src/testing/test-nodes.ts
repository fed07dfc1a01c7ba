/** The simulated nodes of a test cluster, which can be added and removed while the test runs. */

import { ignoring, parseQuantity, type KubeObject } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import type { NodeSpec } from '@coxswain/kubelet';
import { numberedNode, unusedNode, type RunningKubelets } from '@coxswain/simulated-nodes';
import { checkWords, shown, wordsOf } from './known-words.ts';
import type { NewNode, TestNodes } from '../../types/testing.d.ts';

export type { NewNode, TestNodes } from '../../types/testing.d.ts';

/** @throws TypeError for an invalid node */
export function wholeNodes(nodes: readonly NewNode[]): readonly NodeSpec[] {
  return nodes.map((node, index) => ({ ...numberedNode(index), ...asNode(node) }));
}

const nodeWords = wordsOf<NodeSpec>({
  name: true,
  labels: true,
  annotations: true,
  taints: true,
  capacity: true,
  podCidr: true,
  address: true,
});

function asNode(node: NewNode): NewNode {
  checkWords('a node', node, nodeWords);
  for (const [resource, amount] of Object.entries(node.capacity ?? {}))
    if (!isQuantity(amount))
      throw new TypeError(
        `a node's ${resource} capacity must be a quantity such as '4' or '16Gi', not ${shown(amount)}`,
      );
  return node;
}

const isQuantity = (text: unknown): boolean => {
  try {
    return typeof text === 'string' && parseQuantity(text) !== undefined;
  } catch {
    return false;
  }
};

/** Lets time pass until the work is done. */
type InTime = <T>(work: Promise<T>, what: string) => Promise<T>;

export class SimulatedNodes implements TestNodes {
  /** Changes when its component is restarted. */
  readonly #kubelets: () => RunningKubelets;
  readonly #client: KubeClient;
  readonly #inTime: InTime;

  constructor(kubelets: () => RunningKubelets, client: KubeClient, inTime: InTime) {
    this.#kubelets = kubelets;
    this.#client = client;
    this.#inTime = inTime;
  }

  get names(): readonly string[] {
    return this.specs.map(({ name }) => name);
  }

  get specs(): readonly NodeSpec[] {
    return this.#kubelets().nodes;
  }

  async add(node: NewNode = {}): Promise<string> {
    const spec = { ...unusedNode(this.specs), ...asNode(node) };
    await this.#begin(spec);
    return spec.name;
  }

  async remove(name: string): Promise<void> {
    await this.#kubelets().remove(name);
    await ignoring('NotFound', this.#client.resource<KubeObject>('v1', 'nodes').delete(name));
  }

  fail(name: string): Promise<void> {
    return this.#kubelets().fail(name);
  }

  recover(name: string): Promise<void> {
    return this.#inTime(this.#kubelets().recover(name), `the recovery of ${name}`);
  }

  #begin(spec: NodeSpec): Promise<void> {
    return this.#inTime(this.#kubelets().add(spec), `the start of ${spec.name}`);
  }
}
