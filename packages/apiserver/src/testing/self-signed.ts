/** A self-signed certificate for tests that need a port. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** @param addresses the addresses that it is valid for besides the name */
export async function selfSigned(
  commonName = 'localhost',
  addresses: readonly string[] = [],
): Promise<{ readonly key: string; readonly cert: string }> {
  x509.cryptoProvider.set(webcrypto as unknown as Crypto);
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    keys: keys as { publicKey: CryptoKey; privateKey: CryptoKey },
    signingAlgorithm: algorithm,
    extensions:
      addresses.length === 0
        ? []
        : [
            new x509.SubjectAlternativeNameExtension([
              { type: 'dns', value: commonName },
              ...addresses.map((value) => ({ type: 'ip' as const, value })),
            ]),
          ],
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
}
