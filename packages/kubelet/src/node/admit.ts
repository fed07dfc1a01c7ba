import { parseQuantity, quantityMilliValue, quantityValue } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

import { isExtendedResourceName } from '../plugins/devices/extended-resource.ts';

/** Why a node refuses a pod that was bound to it. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/** Whether the pod fits beside `others` on a node with `allocatable`; the scheduler may have known less. */
export function refusalOf(
  pod: Pod,
  others: readonly Pod[],
  allocatable: Readonly<Record<string, string>>,
  nodeLabels: Readonly<Record<string, string>>,
): Refusal | undefined {
  return tooMuch(pod, others, allocatable) ?? wrongNode(pod, nodeLabels) ?? portTaken(pod, others);
}

/** Why a pod that runs here can't have what it asks for now; undefined when it can. */
export const resizeRefusal = (
  pod: Pod,
  others: readonly Pod[],
  allocatable: Readonly<Record<string, string>>,
): string | undefined => tooMuch(pod, others, allocatable)?.message;

function tooMuch(
  pod: Pod,
  others: readonly Pod[],
  allocatable: Readonly<Record<string, string>>,
): Refusal | undefined {
  const podsMax = Number(allocatable['pods'] ?? 0);
  if (others.length + 1 > podsMax) return insufficient('pods', 1, others.length, podsMax);
  const wanted = requestsOf(pod);
  if (wanted.size === 0) return undefined;
  const used = new Map<string, number>();
  for (const other of others)
    for (const [name, amount] of requestsOf(other)) used.set(name, (used.get(name) ?? 0) + amount);
  for (const [name, amount] of wanted) {
    // Of what no node has, the cluster as a whole has some, and the scheduler has seen to it.
    if (allocatable[name] === undefined && isExtendedResourceName(name)) continue;
    const capacity = amountOf(name, allocatable[name] ?? '0');
    if (amount > 0 && amount > capacity - (used.get(name) ?? 0))
      return insufficient(name, amount, used.get(name) ?? 0, capacity);
  }
  return undefined;
}

const insufficient = (name: string, requested: number, used: number, capacity: number): Refusal => ({
  reason: `OutOf${name}`,
  message: `Node didn't have enough resource: ${name}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
});

/** Containers and sidecars together, or one init container beside the sidecars before it, whichever is more. */
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

/** Only plain labels: terms with expressions are the scheduler's. */
function wrongNode({ spec }: Pod, labels: Readonly<Record<string, string>>): Refusal | undefined {
  const fits = Object.entries(spec?.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
  if (fits) return undefined;
  return {
    reason: 'NodeAffinity',
    message: "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
  };
}

function portTaken(pod: Pod, others: readonly Pod[]): Refusal | undefined {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return undefined;
  const taken = others.flatMap(hostPorts);
  const clash = wanted.some((a) =>
    taken.some(
      (b) =>
        a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === anyIp || b.ip === anyIp),
    ),
  );
  if (!clash) return undefined;
  return {
    reason: 'NodePorts',
    message: "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports",
  };
}

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
