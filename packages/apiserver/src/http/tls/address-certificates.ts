/**
 * A client that names no server (its URL has an address) is shown the certificate of the address that it has
 * connected to, where there is one. TLS asks nobody then: the server's own certificate is exchanged before the
 * connection begins, which costs something only where it differs from the one before.
 */
import type { Socket } from 'node:net';
import type { SecureContext, Server } from 'node:tls';
import type { NamedCertificate } from './server-names.ts';
import { contextOptions, type NamedContexts, type TlsLimits, type TlsMaterial } from './serving-tls.ts';

export class AddressCertificates {
  readonly #server: Pick<Server, 'setSecureContext'>;
  readonly #contexts: NamedContexts;
  readonly #limits: TlsLimits;
  #material: TlsMaterial;
  /** Undefined: the server's own. */
  #shown: NamedCertificate | undefined;

  constructor(
    server: Pick<Server, 'setSecureContext' | 'prependListener'>,
    contexts: NamedContexts,
    material: TlsMaterial,
    limits: TlsLimits,
  ) {
    this.#server = server;
    this.#contexts = contexts;
    this.#material = material;
    this.#limits = limits;
    server.prependListener('connection', (socket: Socket) => this.#show(socket.localAddress ?? ''));
  }

  /** @throws Error for a certificate that doesn't fit its key; nothing has changed then */
  exchange(material: TlsMaterial): void {
    this.#server.setSecureContext(contextOptions(material, this.#limits));
    this.#material = material;
    this.#shown = undefined;
  }

  /** For a name without a certificate of its own; undefined where the server's own is never exchanged. */
  contextForNames(): SecureContext | undefined {
    return this.#contexts.hasAddresses ? this.#contexts.defaultContext : undefined;
  }

  #show(address: string): void {
    const wanted = this.#contexts.ofAddress(address);
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    const { clientCa } = this.#material;
    this.#server.setSecureContext(
      contextOptions(wanted === undefined ? this.#material : { ...wanted, clientCa }, this.#limits),
    );
  }
}
