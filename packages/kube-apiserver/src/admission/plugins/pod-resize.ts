/** A running pod can be resized only on a Linux node, and only to what the node can allocate. */
import {
  compareQuantities,
  goQuote,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  type StatusError,
} from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { podTotals } from '@coxswain/api/core/v1/pod/pod-totals.ts';
import { isTo, objectOf, oldObjectOf, on, refused } from '../attributes.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';

const osLabel = 'kubernetes.io/os';

export const podResize = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'PodResizeValidator',
  resources: [resources.pods],
  handles: on('UPDATE'),
  concerns: (attributes) => isTo(attributes, resources.pods, 'resize'),
  async validate(attributes) {
    const pod = objectOf<Pod>(attributes);
    const { nodeName } = pod.spec;
    if (!nodeName || pod.metadata.generation === oldObjectOf<Pod>(attributes).metadata.generation) return;
    const node = await objects.get<Node>(resources.nodes, '', nodeName);
    if (node === undefined) throw refused(attributes, `node ${goQuote(nodeName)} not found`);
    const system = node.metadata.labels?.[osLabel] ?? 'linux';
    if (system !== 'linux') {
      const detail = `pod resize is only supported on linux nodes, node ${goQuote(nodeName)} is ${goQuote(system)}`;
      throw refusedFor(attributes, 'UnsupportedPlatform', detail);
    }
    const lacking = lackingOn(node, pod);
    if (lacking.length === 0) return;
    const detail = `node didn't have enough allocatable resources: ${lacking.join('; ')}`;
    throw refusedFor(attributes, 'NodeCapacity', detail);
  },
});

/** CPU is counted in thousandths. */
function lackingOn({ status }: Node, pod: Pod): string[] {
  const asked = podTotals(pod, 'requests', { withOverhead: true });
  const none = parseQuantity('0');
  return (['cpu', 'memory'] as const).flatMap((name) => {
    const requested = asked.get(name) ?? none;
    const allocatable = parseQuantity(status.allocatable?.[name] ?? '0');
    if (compareQuantities(requested, allocatable) <= 0) return [];
    const shown = name === 'cpu' ? quantityMilliValue : quantityValue;
    return [`${name}, requested: ${shown(requested)}, allocatable: ${shown(allocatable)}`];
  });
}

function refusedFor(attributes: AdmissionAttributes, reason: string, detail: string): StatusError {
  const error = refused(attributes, detail);
  error.status.details = { ...error.status.details, causes: [{ reason }] };
  return error;
}
