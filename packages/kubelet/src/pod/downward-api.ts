/** What the downward API tells a container of its pod: fields, and what it may use. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { goQuote, parseQuantity, quantityMilliValue, quantityValue } from '@coxswain/apimachinery';

/** What a pod object does not say itself, or not yet. */
export interface NodeFacts {
  readonly hostIps: readonly string[];
  readonly podIps: readonly string[];
  /** Of the node: what a container without a limit may use. */
  readonly allocatable: Readonly<Record<string, string>>;
}

/** @throws Error for a path that is not one of the downward API's */
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

/** `key="value"`, a line each, in the order of the keys. */
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
 * `limits.cpu`, `requests.memory`, … in units of the divisor, rounded up; a missing limit is all that the node has.
 * @throws Error for another resource, or a container that is not there
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
