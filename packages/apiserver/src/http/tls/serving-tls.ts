/** A server's TLS settings, which can be replaced while it runs. */
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
  /** The client authorities; without them no client certificate is requested. */
  readonly clientCa?: string | undefined;
  /** For clients that send a server name. */
  readonly named?: readonly NamedCertificate[];
}

export interface TlsLimits {
  /** `VersionTLS12` */
  readonly minVersion?: string;
  /** For TLS 1.2 and below; the modern suites if empty. */
  readonly cipherSuites?: readonly string[];
  /** Ids of key exchanges. */
  readonly curves?: readonly number[];
}

/** @throws Error for an unknown name or id, and for a certificate that doesn't match its key */
export function contextOptions(
  { key, cert, clientCa }: Pick<TlsMaterial, 'key' | 'cert' | 'clientCa'>,
  { minVersion = '', cipherSuites = [], curves = [] }: TlsLimits,
): SecureContextOptions {
  const version = tlsVersion(minVersion);
  // OpenSSL enables TLS 1.0 and 1.1 and weak suites only at a lower security level.
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
    // Go never supported renegotiation; under Node's own limit a client could repeat it at the server's cost.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  };
}

/** The contexts of named certificates, created on first use. */
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

  /** Undefined for the default certificate. */
  find(serverName: string): SecureContext | undefined {
    const certificate = named(this.#byName, serverName);
    return certificate === undefined ? undefined : this.#contextOf(certificate);
  }

  /**
   * The certificate for a client that sends no server name and has connected to this address, if the address has its
   * own.
   */
  ofAddress(address: string): NamedCertificate | undefined {
    return this.#byName.get(address.replace(/^::ffff:(?=[\d.]+$)/, ''));
  }

  get hasAddresses(): boolean {
    return [...this.#byName.keys()].some((name) => isIP(name) !== 0);
  }

  /** For clients that send a server name without a certificate. */
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
