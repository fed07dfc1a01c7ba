/** Warns about TLS secrets whose certificate and key don't match, which are stored nevertheless. */

import { nodeCrypto, readCertificate, readPrivateKey, type X509Certificate } from '../../meta/node-crypto.ts';
import { pemBlocks, type PemBlock } from '../../meta/pem.ts';

interface SecretData {
  type?: string;
  /** Base64. */
  data?: Readonly<Record<string, string>>;
}

export function secretWarnings({ type, data }: SecretData): string[] {
  if (type !== 'kubernetes.io/tls') return [];
  const problem = pairProblem(atob(data?.['tls.crt'] ?? ''), atob(data?.['tls.key'] ?? ''));
  return problem === undefined ? [] : [problem];
}

/** With the messages of Go's crypto/tls. */
function pairProblem(certificateText: string, keyText: string): string | undefined {
  const certificates = pemBlocks(certificateText);
  const first = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (first === undefined) return noCertificate(certificates.map(({ type }) => type));
  const keys = pemBlocks(keyText);
  const key = keys.find(({ type }) => /(^| )PRIVATE KEY$/.test(type));
  if (key === undefined) return noKey(keys.map(({ type }) => type));
  return nodeCrypto() === undefined ? undefined : mismatch(first, key);
}

function noCertificate(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (types.length === 1 && types[0]!.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

function noKey(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in key input';
  if (types.length === 1 && types[0] === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

const pairTypes = ['rsa', 'ec', 'ed25519'];

function mismatch(certificateBlock: PemBlock, keyBlock: PemBlock): string | undefined {
  const certificate = readCertificate(certificateBlock.bytes);
  if (certificate === undefined) return 'x509: malformed certificate';
  const key = readPrivateKey(keyBlock.bytes);
  if (key === undefined) return 'tls: failed to parse private key';
  const type = publicTypeOf(certificate);
  if (!pairTypes.includes(key.asymmetricKeyType ?? '')) {
    return 'tls: found unknown private key type in PKCS#8 wrapping';
  }
  if (type === undefined || !pairTypes.includes(type)) return 'tls: unknown public key algorithm';
  if (key.asymmetricKeyType !== type) return 'tls: private key type does not match public key type';
  return certificate.checkPrivateKey(key) ? undefined : 'tls: private key does not match public key';
}

/** Undefined for an unknown type of key. */
function publicTypeOf(certificate: X509Certificate): string | undefined {
  try {
    return certificate.publicKey.asymmetricKeyType;
  } catch {
    return undefined;
  }
}
