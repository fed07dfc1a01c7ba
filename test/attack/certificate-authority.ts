/** Certificates of every kind that somebody might show. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** Each attribute alone, with its encoding where it says one. */
export type Name = string | x509.JsonNameParams;

export interface Issued {
  /** `CN=jane,O=dev` */
  readonly name: Name;
  readonly notBeforeMs?: number;
  readonly notAfterMs?: number;
  /** By default for clients. */
  readonly usage?: 'client' | 'server';
  /** Of hosts, beside the name. */
  readonly dnsNames?: readonly string[];
  /** An authority itself. */
  readonly isAuthority?: boolean;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const hourMs = 3_600_000;

type Keys = { publicKey: CryptoKey; privateKey: CryptoKey };

export class CertificateAuthority {
  readonly certificate: x509.X509Certificate;
  readonly #keys: Keys;

  private constructor(certificate: x509.X509Certificate, keys: Keys) {
    this.certificate = certificate;
    this.#keys = keys;
  }

  static async create(name: string): Promise<CertificateAuthority> {
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: `CN=${name}`,
      ...validity({}),
      keys,
      signingAlgorithm: algorithm,
      extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
    });
    return new CertificateAuthority(certificate, keys);
  }

  get pem(): string {
    return this.certificate.toString('pem');
  }

  async issue(issued: Issued): Promise<Identity> {
    const keys = await newKeys();
    const certificate = await this.#sign(issued, keys);
    const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
  }

  /** Signed by this one, and signing others. */
  async authority(issued: Issued): Promise<CertificateAuthority> {
    const keys = await newKeys();
    return new CertificateAuthority(await this.#sign(issued, keys), keys);
  }

  #sign(issued: Issued, { publicKey }: Keys): Promise<x509.X509Certificate> {
    const { name, usage = 'client', isAuthority = false, dnsNames = [] } = issued;
    const alternatives = dnsNames.map((value) => ({ type: 'dns' as const, value }));
    const purpose = x509.ExtendedKeyUsage[usage === 'client' ? 'clientAuth' : 'serverAuth'];
    return x509.X509CertificateGenerator.create({
      subject: new x509.Name(name),
      issuer: this.certificate.subject,
      ...validity(issued),
      publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(isAuthority, undefined, true),
        ...(isAuthority ? [] : [new x509.ExtendedKeyUsageExtension([purpose])]),
        ...(alternatives.length > 0 ? [new x509.SubjectAlternativeNameExtension(alternatives)] : []),
      ],
    });
  }
}

const validity = ({ notBeforeMs, notAfterMs }: Partial<Issued>) => ({
  notBefore: new Date(notBeforeMs ?? Date.now() - hourMs),
  notAfter: new Date(notAfterMs ?? Date.now() + hourMs),
});

async function newKeys(): Promise<Keys> {
  x509.cryptoProvider.set(webcrypto as unknown as Crypto);
  return (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as Keys;
}
