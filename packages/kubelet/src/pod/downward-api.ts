/** The downward API: fields of the pod, and resources of its containers. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { goQuote, parseQuantity, quantityMilliValue, quantityValue } from '@coxswain/apimachinery';

/** Facts that the pod object does not contain, or not yet. */
export interface NodeFacts {
  readonly hostIps: readonly string[];
  readonly podIps: readonly string[];
  /** The node's allocatable resources, which apply to a container without limits. */
  readonly allocatable: Readonly<Record<string, string>>;
}

/** @throws Error for a path that the downward API does not support */
export function podFieldText(pod: Pod, fieldPath: string, facts: NodeFacts): string {
  const { metadata, spec } = pod;
  const subscript = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(fieldPath);
  if (subscript !== null) return metadata?.[subscript[1] as 'labels']?.[subscript[2]!] ?? '';
  switch (fieldPath) {
    case 'metadata.name':
      return metadata?.name ?? '';
    case 'metadata.namespace':
      return metadata?.namespace ?? '';
    case 'metadata.uid':
      return metadata?.uid ?? '';
    case 'metadata.labels':
      return linesOf(metadata?.labels);
    case 'metadata.annotations':
      return linesOf(metadata?.annotations);
    case 'spec.nodeName':
      return spec?.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec?.serviceAccountName ?? '';
    case 'status.hostIP':
    case 'spec.host':
      return facts.hostIps[0] ?? '';
    case 'status.hostIPs':
      return facts.hostIps.join(',');
    case 'status.podIP':
      return facts.podIps[0] ?? '';
    case 'status.podIPs':
      return facts.podIps.join(',');
  }
  throw new Error(`unsupported fieldPath: ${fieldPath}`);
}

/** One `key="value"` per line, sorted by key. */
const linesOf = (values: Readonly<Record<string, string>> = {}): string =>
  Object.keys(values)
    .sort()
    .map((key) => `${key}=${goQuote(values[key]!)}`)
    .join('\n');

export interface ResourceReference {
  readonly containerName?: string;
  readonly resource: string;
  readonly divisor?: string;
}

/**
 * Returns `limits.cpu`, `requests.memory`, … in units of the divisor, rounded up; without a limit, the node's
 * allocatable amount.
 * @throws Error for an unsupported resource or an unknown container
 */
export function resourceText(
  pod: Pod,
  container: Container | undefined,
  reference: ResourceReference,
  { allocatable }: NodeFacts,
): string {
  const { containerName, resource, divisor = '1' } = reference;
  const target = containerName
    ? [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])].find(
        ({ name }) => name === containerName,
      )
    : container;
  if (target === undefined) throw new Error(`container ${containerName} not found`);
  const match = /^(limits|requests)\.(cpu|memory|ephemeral-storage|hugepages-.+)$/.exec(resource);
  if (match === null) throw new Error(`unsupported container resource : ${resource}`);
  const [, kind, name] = match as unknown as [string, 'limits' | 'requests', string];
  const fallback = kind === 'limits' ? allocatable[name] : undefined;
  const amount = parseQuantity(target.resources?.[kind]?.[name] ?? fallback ?? '0');
  const unit = parseQuantity(divisor === '0' ? '1' : divisor);
  const ratio =
    name === 'cpu'
      ? quantityMilliValue(amount) / quantityMilliValue(unit)
      : quantityValue(amount) / quantityValue(unit);
  return String(Math.ceil(ratio));
}
