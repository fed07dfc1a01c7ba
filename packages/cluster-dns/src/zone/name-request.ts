/** Parses a name in the cluster's domain, according to the schema of the DNS specification 1.1.0. */

export type NameRequest =
  /** `cluster.local`, `svc.cluster.local`, `pod.cluster.local`: these exist, without records. */
  | { readonly kind: 'domain' }
  | { readonly kind: 'service'; readonly namespace: string; readonly part: ServicePart }
  | { readonly kind: 'pod'; readonly namespace: string; readonly pod: string | undefined };

export interface ServicePart {
  /** Undefined for the name of the namespace itself. */
  readonly service: string | undefined;
  /** The host name of one of its endpoints. */
  readonly endpoint?: string;
  /** Without underscores, which are all that tells ports and protocols from other labels. */
  readonly port?: string;
  readonly protocol?: string;
}

/** Undefined for names that cannot exist. Both names are in lower case and without a trailing dot. */
export function parseName(name: string, domain: string): NameRequest | undefined {
  if (name === domain) return { kind: 'domain' };
  const labels = name
    .slice(0, -domain.length - 1)
    .split('.')
    .reverse();
  const [kind, namespace, target, ...rest] = labels;
  if (kind !== 'svc' && kind !== 'pod') return undefined;
  if (namespace === undefined) return { kind: 'domain' };
  if (rest.length > 2) return undefined;
  if (kind === 'pod') return { kind, namespace, pod: target };
  const [first, second] = rest;
  if (first === undefined) return { kind: 'service', namespace, part: { service: target } };
  if (second === undefined) return { kind: 'service', namespace, part: { service: target, endpoint: first } };
  const part = { service: target, protocol: withoutUnderscore(first), port: withoutUnderscore(second) };
  return { kind: 'service', namespace, part };
}

export const isWithin = (name: string, domain: string): boolean =>
  name === domain || name.endsWith(`.${domain}`);

const withoutUnderscore = (label: string): string => (label.startsWith('_') ? label.slice(1) : label);
