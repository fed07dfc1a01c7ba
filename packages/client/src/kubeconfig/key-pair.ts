/** Problems of a certificate and its key, with the messages of Go's tls package. */
import { createPrivateKey, X509Certificate } from 'node:crypto';

/** Undefined if they can be used together. */
export function keyPairProblem(certificate: string, key: string): string | undefined {
  const chain = blocks(certificate);
  if (!chain.includes('CERTIFICATE')) return `tls: ${missingCertificate(chain)}`;
  const secrets = blocks(key);
  if (!secrets.some(isKey)) return `tls: ${missingKey(secrets)}`;
  let parsed: X509Certificate;
  try {
    parsed = new X509Certificate(certificate);
  } catch {
    return 'tls: failed to parse certificate: x509: malformed certificate';
  }
  try {
    const matches = parsed.checkPrivateKey(createPrivateKey(key));
    return matches ? undefined : 'tls: private key does not match public key';
  } catch {
    return 'tls: failed to parse private key';
  }
}

const isKey = (kind: string): boolean => kind === 'PRIVATE KEY' || kind.endsWith(' PRIVATE KEY');

/** The types of the PEM blocks. */
const blocks = (text: string): string[] =>
  [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g)].map(([, kind = '']) => kind);

function missingCertificate(found: readonly string[]): string {
  if (found.length === 0) return 'failed to find any PEM data in certificate input';
  return found.length === 1 && isKey(found[0] ?? '')
    ? 'failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
    : `failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${found.join(' ')}]`;
}

function missingKey(found: readonly string[]): string {
  if (found.length === 0) return 'failed to find any PEM data in key input';
  return found.length === 1 && found[0] === 'CERTIFICATE'
    ? 'found a certificate rather than a key in the PEM for the private key'
    : `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${found.join(' ')}]`;
}
