/** The certificates that a node needs, and the signing requests for them. */
import { createPrivateKey, createPublicKey, webcrypto, type X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

export interface CertificateTemplate {
  readonly commonName: string;
  readonly organization: string;
  readonly dnsNames: readonly string[];
  readonly ips: readonly string[];
}

export const clientTemplate = (nodeName: string): CertificateTemplate => ({
  commonName: `system:node:${nodeName}`,
  organization: 'system:nodes',
  dnsNames: [],
  ips: [],
});

/** Undefined as long as there is nothing to certify. */
export function servingTemplate(
  nodeName: string,
  addresses: readonly string[],
): CertificateTemplate | undefined {
  const all = [...new Set(addresses.filter(Boolean))].sort();
  if (all.length === 0) return undefined;
  return {
    ...clientTemplate(nodeName),
    dnsNames: all.filter((each) => isIP(each) === 0),
    ips: all.filter((each) => isIP(each) !== 0),
  };
}

/** Whether the certificate contains everything in the template; it may contain more. */
export function satisfies(leaf: X509Certificate, template: CertificateTemplate): boolean {
  const subject = leaf.subject.split('\n');
  const names = (leaf.subjectAltName ?? '').split(', ');
  return (
    subject.includes(`CN=${template.commonName}`) &&
    subject.includes(`O=${template.organization}`) &&
    template.dnsNames.every((name) => names.includes(`DNS:${name}`)) &&
    template.ips.every((ip) => names.includes(`IP Address:${nodeIpText(ip)}`))
  );
}

/** Formats an address as OpenSSL does: eight groups without leading zeros, none omitted. */
function nodeIpText(ip: string): string {
  if (isIP(ip) !== 6) return ip;
  const [head = '', tail] = ip.split('::');
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - before!.length - after!.length }, () => '0');
  const groups = tail === undefined ? before! : [...before!, ...zeros, ...after!];
  return groups.map((group) => Number.parseInt(group, 16).toString(16).toUpperCase()).join(':');
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Generates a new key as PEM. */
export async function newKey(): Promise<string> {
  const { privateKey } = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey));
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  return key.export({ type: 'sec1', format: 'pem' }).toString();
}

/** Returns the certificate signing request as PEM. @param key a key of {@link newKey} */
export async function signingRequest(key: string, template: CertificateTemplate): Promise<string> {
  // Takes tens of milliseconds to load, and is rarely needed.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  x509.cryptoProvider.set(webcrypto as Crypto);
  const { dnsNames, ips } = template;
  const names = [
    ...dnsNames.map((value) => ({ type: 'dns' as const, value })),
    ...ips.map((value) => ({ type: 'ip' as const, value })),
  ];
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: [{ O: [template.organization] }, { CN: [template.commonName] }],
    keys: await importedKeys(key),
    signingAlgorithm: algorithm,
    extensions: names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)],
  });
  return `${request.toString('pem')}\n`;
}

async function importedKeys(pem: string): Promise<webcrypto.CryptoKeyPair> {
  const pkcs8 = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  const spki = createPublicKey(pem).export({ type: 'spki', format: 'der' });
  const [privateKey, publicKey] = await Promise.all([
    webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign']),
    webcrypto.subtle.importKey('spki', spki, algorithm, true, ['verify']),
  ]);
  return { privateKey, publicKey };
}
