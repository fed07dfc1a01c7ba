/** Selects the certificate for the server name that a client sends (SNI), as upstream does. */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

export interface NamedCertificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  /** `example.com`, `*.example.com`; if empty, the names in the certificate. */
  readonly names: readonly string[];
}

/** Explicit names take precedence over those in certificates, earlier certificates over later ones. */
export function certificatesByName(
  certificates: readonly NamedCertificate[],
): ReadonlyMap<string, NamedCertificate> {
  const latestFirst = certificates.toReversed();
  const found = new Map<string, NamedCertificate>();
  for (const one of latestFirst.filter(({ names }) => names.length === 0)) {
    for (const name of namesIn(one.cert)) found.set(name.toLowerCase(), one);
  }
  for (const one of latestFirst) for (const name of one.names) found.set(name.toLowerCase(), one);
  return found;
}

/** Matches the whole name, or a wildcard for its first label. */
export function named<T>(byName: ReadonlyMap<string, T>, serverName: string): T | undefined {
  const name = serverName.toLowerCase().replace(/\.$/, '');
  const dot = name.indexOf('.');
  return byName.get(name) ?? byName.get(dot < 0 ? '*' : `*${name.slice(dot)}`);
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const domain = new RegExp(`^(\\*|(\\*\\.)?${label}(\\.${label})*)$`);

/** DNS names, and the common name if it is one; addresses are never sent as names. */
function namesIn(pem: string): readonly string[] {
  const { subject, subjectAltName = '' } = new X509Certificate(pem);
  const commonName = /^CN=(.*)$/m.exec(subject)?.[1] ?? '';
  const dnsNames = [...subjectAltName.matchAll(/DNS:([^,]+)/g)].map(([, name]) => name!);
  return isIP(commonName) === 0 && domain.test(commonName) ? [commonName, ...dnsNames] : dnsNames;
}
