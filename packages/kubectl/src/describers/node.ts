import type * as coordination from '@coxswain/api/coordination/v1/index.ts';
import type * as core from '@coxswain/api/core/v1/index.ts';
import { podTotals, type Totals } from '@coxswain/api/core/v1/pod/pod-totals.ts';
import type { Live } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  addQuantities,
  canonicalQuantity,
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  zeroQuantity,
  type Quantity,
} from '@coxswain/apimachinery/quantity.ts';
import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import type { DescribeContext, Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import type { Pod } from './pod.ts';
import { DescriptionText, orNone, timeText } from './text.ts';

type Taint = Live<core.Taint>;

type Node = Live<core.Node>;

const roleLabel = 'node-role.kubernetes.io/';

const infoLabels = [
  ['Machine ID', 'machineID'],
  ['System UUID', 'systemUUID'],
  ['Boot ID', 'bootID'],
  ['Kernel Version', 'kernelVersion'],
  ['OS Image', 'osImage'],
  ['Operating System', 'operatingSystem'],
  ['Architecture', 'architecture'],
  ['Container Runtime Version', 'containerRuntimeVersion'],
  ['Kubelet Version', 'kubeletVersion'],
] as const;

export const describeNode: Describer = async (object, context) => {
  const node: Node = object;
  const { metadata, spec = {}, status = {} } = node;
  const pods = await context
    .list<Pod>('/api/v1/pods', {
      fieldSelector: `spec.nodeName=${metadata.name},status.phase!=Succeeded,status.phase!=Failed`,
    })
    .catch(() => undefined);
  // Controllers refer to a node by its uid, its kubelet by its name.
  const events = await context.events(object);
  events?.push(...((await context.events(object, { uid: metadata.name ?? '' })) ?? []));
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Roles', orNone(rolesOf(node).join(',')));
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
  describeTaints(text, spec.taints);
  text.field(0, 'Unschedulable', spec.unschedulable ?? false);
  await describeLease(text, node, context);
  describeConditions(text, node);
  text.line(0, 'Addresses:');
  for (const { type, address } of status.addresses ?? []) text.field(1, type, address);
  describeQuantities(text, 'Capacity', status.capacity);
  describeQuantities(text, 'Allocatable', status.allocatable);
  text.line(0, 'System Info:');
  for (const [label, key] of infoLabels) text.field(1, label, status.nodeInfo?.[key]);
  text.optional(0, 'PodCIDR', spec.podCIDR);
  if (spec.podCIDRs?.length) text.field(0, 'PodCIDRs', spec.podCIDRs.join(','));
  text.optional(0, 'ProviderID', spec.providerID);
  if (pods === undefined) text.field(0, 'Pods', 'not authorized');
  else describePods(text, node, pods, context.nowMs);
  describeEvents(text, events, context.nowMs);
  return text.toString();
};

const rolesOf = ({ metadata }: Node): string[] =>
  Object.entries(metadata.labels ?? {})
    .flatMap(([key, value]) =>
      key.startsWith(roleLabel)
        ? [key.slice(roleLabel.length)]
        : key === 'kubernetes.io/role' && value !== ''
          ? [value]
          : [],
    )
    .filter((role) => role !== '')
    .sort();

function describeTaints(text: DescriptionText, taints: readonly Taint[] = []): void {
  if (taints.length === 0) return text.line(0, 'Taints:\t<none>');
  const sorted = [...taints].sort((a, b) => (`${a.effect},${a.key}` < `${b.effect},${b.key}` ? -1 : 1));
  sorted.forEach(({ key, value, effect }, index) => {
    const pair = value ? `${key}=${value}` : key;
    text.line(0, `${index === 0 ? 'Taints:' : ''}\t${effect ? `${pair}:${effect}` : pair}`);
  });
}

type Lease = Live<coordination.Lease>;

async function describeLease(
  text: DescriptionText,
  { metadata }: Node,
  context: DescribeContext,
): Promise<void> {
  try {
    const lease = await context.get<Lease>(
      `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${metadata.name}`,
    );
    const { holderIdentity, acquireTime, renewTime } = lease.spec ?? {};
    text.line(0, 'Lease:');
    text.field(1, 'HolderIdentity', holderIdentity ?? '<unset>');
    text.field(1, 'AcquireTime', acquireTime ? timeText(acquireTime) : '<unset>');
    text.field(1, 'RenewTime', renewTime ? timeText(renewTime) : '<unset>');
  } catch (failure) {
    text.field(0, 'Lease', `Failed to get lease: ${messageOf(failure)}`);
  }
}

function describeConditions(text: DescriptionText, { status = {} }: Node): void {
  if (!status.conditions?.length) return;
  text.line(0, 'Conditions:\n  Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage');
  text.line(1, '----\t------\t-----------------\t------------------\t------\t-------');
  for (const one of status.conditions) {
    const times = `${timeText(one['lastHeartbeatTime'])} \t${timeText(one['lastTransitionTime'])}`;
    text.line(
      1,
      `${one['type']} \t${one['status']} \t${times} \t${one['reason'] ?? ''} \t${one['message'] ?? ''}`,
    );
  }
}

function describeQuantities(
  text: DescriptionText,
  title: string,
  quantities: Readonly<Record<string, string>> = {},
): void {
  const names = Object.keys(quantities).sort();
  if (names.length > 0) text.line(0, `${title}:`);
  for (const name of names) text.field(1, name, canonicalQuantity(quantities[name] ?? '0'));
}

function describePods(
  text: DescriptionText,
  { status = {} }: Node,
  pods: readonly Pod[],
  nowMs: number,
): void {
  const allocatable =
    Object.keys(status.allocatable ?? {}).length > 0 ? (status.allocatable ?? {}) : (status.capacity ?? {});
  const share = (totals: Totals, name: string) =>
    shareText(totals.get(name) ?? zeroQuantity, allocatable[name], name);
  text.line(0, `Non-terminated Pods:\t(${pods.length} in total)`);
  text.line(1, 'Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge');
  text.line(1, '---------\t----\t\t------------\t----------\t---------------\t-------------\t---');
  const allRequests: Totals = new Map();
  const allLimits: Totals = new Map();
  for (const pod of pods) {
    const totals = (which: 'requests' | 'limits', withActual: boolean) =>
      podTotals(pod as core.Pod, which, { withOverhead: true, withActual });
    const [requests, limits] = [totals('requests', true), totals('limits', true)];
    // As upstream, resizes in progress count in the rows only.
    merge(allRequests, totals('requests', false));
    merge(allLimits, totals('limits', false));
    const { namespace, name, creationTimestamp } = pod.metadata;
    const age = creationTimestamp ? humanDuration(nowMs - Date.parse(creationTimestamp)) : '<unknown>';
    const cells = [
      share(requests, 'cpu'),
      share(limits, 'cpu'),
      share(requests, 'memory'),
      share(limits, 'memory'),
      age,
    ];
    text.line(1, `${namespace}\t${name}\t\t${cells.join('\t')}`);
  }
  text.line(0, 'Allocated resources:\n  (Total limits may be over 100 percent, i.e., overcommitted.)');
  text.line(1, 'Resource\tRequests\tLimits');
  text.line(1, '--------\t--------\t------');
  for (const name of [
    'cpu',
    'memory',
    'ephemeral-storage',
    ...Object.keys(allocatable)
      .filter((one) => one.startsWith('hugepages-'))
      .sort(),
  ]) {
    text.line(1, `${name}\t${share(allRequests, name)}\t${share(allLimits, name)}`);
  }
  const usual = ['cpu', 'memory', 'ephemeral-storage', 'pods'];
  for (const name of Object.keys(allocatable).sort()) {
    if (usual.includes(name) || name.startsWith('hugepages-')) continue;
    text.line(
      1,
      [
        name,
        formatQuantity(allRequests.get(name) ?? zeroQuantity),
        formatQuantity(allLimits.get(name) ?? zeroQuantity),
      ].join('\t'),
    );
  }
}

function merge(into: Totals, more: Totals): void {
  for (const [name, quantity] of more) {
    const before = into.get(name);
    into.set(name, before === undefined ? quantity : addQuantities(before, quantity));
  }
}

function shareText(quantity: Quantity, whole: string | undefined, name: string): string {
  const value = name === 'cpu' ? quantityMilliValue : quantityValue;
  const total = whole === undefined ? 0 : value(parseQuantity(whole));
  const percent = total === 0 ? 0 : Math.trunc((value(quantity) / total) * 100);
  return `${formatQuantity(quantity)} (${percent}%)`;
}
