import type { Taint } from '@coxswain/api/core/v1/taint.ts';
import { retryOn } from '../framework/cluster-event.ts';
import { plugin } from '../framework/plugin.ts';
import { fits, unresolvable } from '../status.ts';
import { tolerates } from '@coxswain/api/core/v1/pod/tolerations.ts';

const unschedulableTaint: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const refused = unresolvable('node(s) were unschedulable');

export const nodeUnschedulable = plugin({
  name: 'NodeUnschedulable',
  isNodeLocal: true,
  retryWhen: [retryOn('Node', ['add', 'taints']), retryOn('Pod', ['tolerations'])],
  filter: ({ pod }, { node }) =>
    !node.spec?.unschedulable || tolerates(pod.spec?.tolerations, unschedulableTaint) ? fits : refused,
});
