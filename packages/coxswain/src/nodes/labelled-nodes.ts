/**
 * Turns a Node object with a label into a simulated node: a kubelet manages it until the object or the label is
 * removed. The value `stopped` turns the machine of a simulated node off.
 */

import type { KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { InformerFactory } from '@coxswain/client';
import type { NodeSpec } from '@coxswain/kubelet';
import { unusedNode, type RunningKubelets } from '@coxswain/simulated-nodes';
import { simulationLabels, simulationPrefix } from '@coxswain/simulated-nodes/behaviour/annotation-table.ts';

const [simulated, stopped] = simulationLabels.map(({ value }) => value);
const simulationLabel = `${simulationPrefix}${simulationLabels[0]!.name}`;

export interface LabelledNodesParts {
  readonly informers: InformerFactory;
  readonly kubelets: RunningKubelets;
  readonly onError: (error: unknown) => void;
}

export function followLabelledNodes({ informers, kubelets, onError }: LabelledNodesParts): void {
  const nodes = informers.informer<Node & KubeObject>({ group: '', version: 'v1', resource: 'nodes' });
  /** Nodes that are simulated only because of their label. */
  const own = new Set<string>();
  /** Nodes that are down because of their label. */
  const down = new Set<string>();
  const look = (node: Node & KubeObject) => {
    const { name = '' } = node.metadata;
    if (labelOf(node) === stopped) return stop(name);
    if (down.delete(name)) kubelets.recover(name).catch(onError);
    if (!isLabelled(node)) return leave(name);
    if (kubelets.nodes.some((one) => one.name === name)) return;
    own.add(name);
    kubelets.add(specOf(node, kubelets.nodes)).catch(onError);
  };
  const stop = (name: string) => {
    if (down.has(name) || !kubelets.has(name)) return;
    down.add(name);
    kubelets.fail(name).catch(onError);
  };
  const leave = (name: string) => {
    down.delete(name);
    if (own.delete(name) && kubelets.nodes.some((one) => one.name === name))
      kubelets.remove(name).catch(onError);
  };
  nodes.addHandler({
    added(node) {
      // Includes nodes that already had a kubelet, as after a restart.
      if (isLabelled(node)) own.add(node.metadata.name ?? '');
      look(node);
    },
    updated: (_before, after) => look(after),
    deleted: ({ metadata }) => leave(metadata.name ?? ''),
  });
}

const labelOf = ({ metadata }: KubeObject): string | undefined => metadata.labels?.[simulationLabel];

const isLabelled = (node: KubeObject): boolean => labelOf(node) === simulated;

/** The object's own values take precedence; the others are those of the next numbered node. */
function specOf({ metadata, spec, status }: Node & KubeObject, known: readonly NodeSpec[]): NodeSpec {
  const next = unusedNode(known);
  const address = status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
  const { capacity } = status ?? {};
  return {
    ...next,
    name: metadata.name ?? '',
    ...(spec?.podCIDR && { podCidr: spec.podCIDR }),
    ...(address && { address }),
    ...(capacity && Object.keys(capacity).length > 0 && { capacity }),
  };
}
