import type { AdmissionPlugin } from '@coxswain/apiserver';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { isTo, objectOf, on } from '../attributes.ts';
import { resources } from '../../object-reader.ts';

const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/** Taints a new node so that it gets no pods before it reports ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  resources: [resources.nodes],
  handles: on('CREATE'),
  mutate(attributes) {
    if (!isTo(attributes, resources.nodes)) return;
    const node = objectOf<Node>(attributes);
    const taints = node.spec?.taints ?? [];
    if (taints.some(({ key, effect }) => key === taint.key && effect === taint.effect)) return;
    node.spec = { ...node.spec, taints: [...taints, { ...taint }] };
  },
};
