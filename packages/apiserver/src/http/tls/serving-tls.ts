/** What a server shows and accepts in TLS; it can be exchanged while the server runs. */
import { constants } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { openSslCiphers } from './cipher-suites.ts';
import { openSslCurves } from './curves.ts';
import { tlsVersion } from './protocol-versions.ts';
import { certificatesByName, named, type NamedCertificate } from './server-names.ts';

/** PEM. */
export interface TlsMaterial {
  readonly key: string | Uint8Array;
  readonly cert: string | Uint8Array;
  /** Authorities whose client certificates are looked at; without them none is asked for. */
  readonly clientCa?: string | undefined;
  /** For clients that tell which name they want. */
  readonly named?: readonly NamedCertificate[];
}

export interface TlsLimits {
  /** `VersionTLS12` */
  readonly minVersion?: string;
  /** Of TLS 1.2 and below; the modern ones when there are none. */
  readonly cipherSuites?: readonly string[];
  /** Numbers of key exchanges. */
  readonly curves?: readonly number[];
}

/** @throws Error for a name or number that is none, and for a certificate that doesn't fit its key */
export function contextOptions(
  { key, cert, clientCa }: Pick<TlsMaterial, 'key' | 'cert' | 'clientCa'>,
  { minVersion = '', cipherSuites = [], curves = [] }: TlsLimits,
): SecureContextOptions {
  const version = tlsVersion(minVersion);
  // OpenSSL gives TLS 1.0 and 1.1, and what is weak, only to those who lower its guard.
  const isLowered = version === 'TLSv1' || version === 'TLSv1.1';
  const ciphers = openSslCiphers(cipherSuites);
  return {
    key: key as string,
    cert: cert as string,
    ...(clientCa !== undefined && { ca: clientCa }),
    minVersion: version,
    ciphers: isLowered ? `${ciphers}:@SECLEVEL=0` : ciphers,
    ecdhCurve: openSslCurves(curves),
    honorCipherOrder: true,
    // Go never did it; with Node's own bound a client goes on, each time at the server's cost.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  };
}

/** The contexts of named certificates, made when they are first asked for. */
export class NamedContexts {
  readonly #limits: TlsLimits;
  #material: TlsMaterial;
  #byName: ReadonlyMap<string, NamedCertificate>;
  readonly #contexts = new Map<Pick<TlsMaterial, 'key' | 'cert'>, SecureContext>();

  constructor(material: TlsMaterial, limits: TlsLimits) {
    this.#limits = limits;
    this.#material = material;
    this.#byName = certificatesByName(material.named ?? []);
  }

  exchange(material: TlsMaterial): void {
    this.#byName = certificatesByName(material.named ?? []);
    this.#material = material;
    this.#contexts.clear();
  }

  /** Undefined where the default certificate is to be shown. */
  find(serverName: string): SecureContext | undefined {
    const certificate = named(this.#byName, serverName);
    return certificate === undefined ? undefined : this.#contextOf(certificate);
  }

  /** What a client is shown that names no server and has connected to this address, where it is of its own. */
  ofAddress(address: string): NamedCertificate | undefined {
    return this.#byName.get(address.replace(/^::ffff:(?=[\d.]+$)/, ''));
  }

  get hasAddresses(): boolean {
    return [...this.#byName.keys()].some((name) => isIP(name) !== 0);
  }

  /** For clients that name a server which no certificate is for. */
  get defaultContext(): SecureContext {
    return this.#contextOf(this.#material);
  }

  #contextOf(certificate: Pick<TlsMaterial, 'key' | 'cert'>): SecureContext {
    let context = this.#contexts.get(certificate);
    if (context === undefined) {
      const { clientCa } = this.#material;
      context = createSecureContext(contextOptions({ ...certificate, clientCa }, this.#limits));
      this.#contexts.set(certificate, context);
    }
    return context;
  }
}
