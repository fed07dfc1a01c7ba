/**
 * Turns a Node object with a label into a simulated node: a kubelet manages it until the object or the label is
 * removed.
 */

import type { KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { InformerFactory } from '@coxswain/client';
import type { NodeSpec } from '@coxswain/kubelet';
import { unusedNode, type RunningKubelets } from '@coxswain/simulated-nodes';
import { simulationLabel, simulationPrefix } from '@coxswain/simulated-nodes/behaviour/annotation-table.ts';

const simulatedLabel = `${simulationPrefix}${simulationLabel.name}`;
const simulatedValue = simulationLabel.value;

export interface LabelledNodesParts {
  readonly informers: InformerFactory;
  readonly kubelets: RunningKubelets;
  readonly onError: (error: unknown) => void;
}

export function followLabelledNodes({ informers, kubelets, onError }: LabelledNodesParts): void {
  const nodes = informers.informer<Node & KubeObject>({ group: '', version: 'v1', resource: 'nodes' });
  /** Nodes that are simulated only because of their label. */
  const own = new Set<string>();
  const look = (node: Node & KubeObject) => {
    const { name = '' } = node.metadata;
    if (!isLabelled(node)) return leave(name);
    if (kubelets.nodes.some((one) => one.name === name)) return;
    own.add(name);
    kubelets.add(specOf(node, kubelets.nodes)).catch(onError);
  };
  const leave = (name: string) => {
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

const isLabelled = ({ metadata }: KubeObject): boolean =>
  metadata.labels?.[simulatedLabel] === simulatedValue;

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
