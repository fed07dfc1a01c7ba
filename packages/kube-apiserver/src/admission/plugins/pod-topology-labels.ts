import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { Binding } from '@coxswain/api/core/v1/binding.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isTo, objectOf, on } from '../attributes.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';

const copiedLabels = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/** Copies the zone and region labels of the node to its pods. */
export const podTopologyLabels = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'PodTopologyLabels',
  resources: [resources.pods],
  handles: on('CREATE'),
  mutate(attributes) {
    const nodeName = nodeNameOf(attributes);
    if (nodeName) return copyLabels(objects, nodeName, attributes);
  },
});

async function copyLabels(
  objects: ObjectReader,
  nodeName: string,
  attributes: AdmissionAttributes,
): Promise<void> {
  const node = await objects.get<Node>(resources.nodes, '', nodeName);
  const labels = copiedLabels.flatMap((label) => {
    const value = node?.metadata.labels?.[label];
    return value === undefined ? [] : [[label, value] as const];
  });
  if (labels.length === 0) return;
  const { metadata } = attributes.object!;
  metadata.labels = { ...metadata.labels, ...Object.fromEntries(labels) };
}

function nodeNameOf(attributes: AdmissionAttributes): string | undefined {
  if (isTo(attributes, resources.pods)) return objectOf<Pod>(attributes).spec.nodeName;
  if (isTo(attributes, resources.pods, 'binding')) return boundNode(objectOf<Binding>(attributes));
  return undefined;
}

const boundNode = ({ target }: Binding): string | undefined =>
  target.kind === 'Node' ? target.name : undefined;
