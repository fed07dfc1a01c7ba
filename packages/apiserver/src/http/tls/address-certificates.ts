/**
 * A client that sends no server name (its URL has an address) is shown the certificate for the address that it has
 * connected to, if there is one. TLS has no callback for this, so the server's default certificate is replaced before
 * the connection begins, which is costly only if it differs from the previous one.
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
  /** Undefined for the server's own. */
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

  /** @throws Error for a certificate that doesn't match its key; nothing has changed then */
  exchange(material: TlsMaterial): void {
    this.#server.setSecureContext(contextOptions(material, this.#limits));
    this.#material = material;
    this.#shown = undefined;
  }

  /** The context for a name without a certificate of its own; undefined if the server's own is never replaced. */
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
