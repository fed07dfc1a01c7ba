import { parseQuantity, quantityMilliValue, quantityValue } from '@coxswain/apimachinery';
import { requiredNodeMatcher } from '@coxswain/api/core/v1/pod/node-matching.ts';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { tolerates } from '@coxswain/api/core/v1/pod/tolerations.ts';
import { isExtendedResourceName } from '../resources/extended-resource.ts';
import { isStatic } from '../pod/pod-source.ts';

/** Why a node rejects a pod that was bound to it. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/** A lack of some resource; CPU is counted in thousandths of a core. */
export interface Shortage extends Refusal {
  readonly resource: string;
  /** The missing amount. */
  readonly amount: number;
}

/** The objections to a pod, which is admitted if there are none. */
export interface Admission {
  /** Shortages that preemption of other pods could resolve. */
  readonly shortages: readonly Shortage[];
  readonly refusals: readonly Refusal[];
}

type Amounts = Readonly<Record<string, string>>;
/** The node as stored in the API, or what a kubelet knows before that. */
export type HostNode = Partial<Pick<Node, 'metadata' | 'spec' | 'status'>>;

/** Decides whether the pod fits beside `others` on a node; the scheduler may have had older data, or was bypassed. */
export function admit(pod: Pod, others: readonly Pod[], node: HostNode, allocatable: Amounts): Admission {
  const unsupported = otherSystem(pod) ?? unsupportedGroups(pod, node);
  if (unsupported !== undefined) return { shortages: [], refusals: [unsupported] };
  const refusals = [wrongNode(pod, node), portTaken(pod, others), untolerated(pod, node)].filter(
    (each) => each !== undefined,
  );
  return { shortages: shortagesOf(pod, others, allocatable), refusals };
}

/** Returns why a running pod can't be resized as requested now; undefined if it can. */
export const resizeRefusal = (pod: Pod, others: readonly Pod[], allocatable: Amounts): string | undefined =>
  shortagesOf(pod, others, allocatable)[0]?.message;

function shortagesOf(pod: Pod, others: readonly Pod[], allocatable: Amounts): readonly Shortage[] {
  const podsMax = Number(allocatable['pods'] ?? 0);
  const shortages: Shortage[] = [];
  if (others.length + 1 > podsMax) shortages.push(shortage('pods', 1, others.length, podsMax));
  const wanted = requestsOf(pod);
  if (wanted.size === 0) return shortages;
  const taken = new Map<string, number>();
  for (const other of others)
    for (const [name, amount] of requestsOf(other)) taken.set(name, (taken.get(name) ?? 0) + amount);
  for (const [name, amount] of wanted) {
    // An extended resource unknown to the node is cluster-level, and the scheduler has accounted for it.
    if (allocatable[name] === undefined && isExtendedResourceName(name)) continue;
    const capacity = amountOf(name, allocatable[name] ?? '0');
    const used = taken.get(name) ?? 0;
    if (amount > 0 && amount > capacity - used) shortages.push(shortage(name, amount, used, capacity));
  }
  return shortages;
}

const shortage = (resource: string, requested: number, used: number, capacity: number): Shortage => ({
  resource,
  amount: requested - (capacity - used),
  reason: `OutOf${resource}`,
  message: `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
});

/** All containers and sidecars together, or one init container with the sidecars before it, whichever is larger. */
export function requestsOf({ spec }: Pod): Map<string, number> {
  const total = new Map<string, number>();
  const sidecars = new Map<string, number>();
  const peaks: Map<string, number>[] = [];
  for (const container of spec?.initContainers ?? []) {
    if (container.restartPolicy === 'Always') add(sidecars, container.resources?.requests);
    const peak = new Map(sidecars);
    if (container.restartPolicy !== 'Always') add(peak, container.resources?.requests);
    peaks.push(peak);
  }
  for (const container of spec?.containers ?? []) add(total, container.resources?.requests);
  for (const [name, amount] of sidecars) total.set(name, (total.get(name) ?? 0) + amount);
  for (const peak of peaks)
    for (const [name, amount] of peak) total.set(name, Math.max(total.get(name) ?? 0, amount));
  const whole = spec?.resources?.requests;
  for (const name in whole) total.set(name, amountOf(name, whole[name]!));
  add(total, spec?.overhead);
  return total;
}

function add(into: Map<string, number>, list: Readonly<Record<string, string>> | undefined): void {
  for (const name in list) into.set(name, (into.get(name) ?? 0) + amountOf(name, list[name]!));
}

const amountOf = (name: string, text: string): number =>
  name === 'cpu' ? quantityMilliValue(parseQuantity(text)) : quantityValue(parseQuantity(text));

/** The pod's own label `kubernetes.io/os` counts like that of a node. */
function otherSystem({ metadata, spec }: Pod): Refusal | undefined {
  const label = metadata?.labels?.['kubernetes.io/os'];
  if (label !== undefined && label !== system)
    return {
      reason: 'PodOSSelectorNodeLabelDoesNotMatch',
      message: "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    };
  if (!spec?.os || spec.os.name === system) return undefined;
  return {
    reason: 'PodOSNotSupported',
    message: "Failed to admit pod as the OS field doesn't match node OS",
  };
}

const system = 'linux';

function unsupportedGroups({ spec }: Pod, { status }: HostNode): Refusal | undefined {
  if (spec?.securityContext?.supplementalGroupsPolicy !== 'Strict') return undefined;
  if (status?.features?.supplementalGroupsPolicy) return undefined;
  return {
    reason: 'SupplementalGroupsPolicyNotSupported',
    message: 'SupplementalGroupsPolicy=Strict is not supported in this node',
  };
}

const mismatch = (plugin: string, why: string): Refusal => ({
  reason: plugin,
  message: `Predicate ${plugin} failed: ${why}`,
});

const wrongNode = (pod: Pod, node: HostNode): Refusal | undefined =>
  requiredNodeMatcher(pod)?.(node) === false
    ? mismatch('NodeAffinity', "node(s) didn't match Pod's node affinity/selector")
    : undefined;

/** Other taint effects concern only the scheduler. */
function untolerated(pod: Pod, { spec }: HostNode): Refusal | undefined {
  const isKeptOff = spec?.taints?.some(
    (taint) => taint.effect === 'NoExecute' && !tolerates(pod.spec?.tolerations, taint),
  );
  return isKeptOff && !isStatic(pod)
    ? mismatch('TaintToleration', "node(s) had taints that the pod didn't tolerate")
    : undefined;
}

function portTaken(pod: Pod, others: readonly Pod[]): Refusal | undefined {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return undefined;
  const taken = new Map<string, Set<string>>();
  for (const { ip, ...port } of others.flatMap(hostPorts)) {
    const key = portKey(port);
    taken.set(key, (taken.get(key) ?? new Set()).add(ip));
  }
  const clash = wanted.some(({ ip, ...port }) => {
    const ips = taken.get(portKey(port));
    return ips !== undefined && (ip === anyIp || ips.has(ip) || ips.has(anyIp));
  });
  return clash
    ? mismatch('NodePorts', "node(s) didn't have free ports for the requested pod ports")
    : undefined;
}

const portKey = ({ port, protocol }: { readonly port: number; readonly protocol: string }): string =>
  `${protocol} ${port}`;

const anyIp = '0.0.0.0';

const hostPorts = ({ spec }: Pod) =>
  [
    ...(spec?.containers ?? []),
    ...(spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always'),
  ]
    .flatMap(({ ports }) => ports ?? [])
    .flatMap(({ hostPort, hostIP, protocol }) =>
      hostPort ? [{ port: hostPort, ip: hostIP || anyIp, protocol: protocol ?? 'TCP' }] : [],
    );
