/**
 * A server over the network: HTTP/2 if it supports it, otherwise HTTP/1.1, with TLS verified against the cluster's
 * authority, over one shared connection that is checked while it is idle.
 */

import { here, runStep } from '@coxswain/apimachinery';
import { relayed } from '@coxswain/apimachinery/relayed-signal.ts';
import type { Transport, TransportRequest, TransportResponse, UpgradeResponse } from '../transport.ts';
import { Connections } from './connections.ts';
import { sendHttp1 } from './http1.ts';
import { sendHttp2 } from './http2.ts';
import { sendUpgrade } from './upgrade.ts';
import { wireHeaders } from './wire-headers.ts';
import type { HttpTransportOptions } from './http-transport-options.ts';

/**
 * A server over the network: HTTP/2 if it supports it, otherwise HTTP/1.1, with TLS. Used by {@link connect}.
 * @example
 * const transport = new HttpTransport({ server: 'http://127.0.0.1:8001' }); // kubectl proxy
 * const { status } = await transport.send({ method: 'GET', path: '/readyz', headers: {} });
 * const { status: upgraded } = await transport.upgrade({
 *   method: 'GET',
 *   path: '/api/v1/namespaces/default/pods/web/exec?command=date&stdout=true',
 *   headers: { connection: 'upgrade', upgrade: 'websocket' },
 * });
 * await transport.close();
 */
export class HttpTransport implements Transport {
  readonly structured = false;
  readonly address: string;
  readonly #options: HttpTransportOptions;
  readonly #basePath: string;
  readonly #connections: Connections;

  constructor(options: HttpTransportOptions) {
    const url = new URL(options.server);
    this.#options = options;
    this.address = url.origin;
    this.#basePath = url.pathname.replace(/\/$/, '');
    this.#connections = new Connections(url, options);
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#sendAs(request, await this.#options.credentials?.authorization());
    if (response.status !== 401 || this.#options.credentials === undefined) return response;
    // The credential may just have expired: obtains it again, and retries only if it has changed.
    const { credentials } = this.#options;
    const used = [await credentials.authorization(), (await credentials.certificate())?.certificate];
    const fresh = [await credentials.authorization(true), (await credentials.certificate())?.certificate];
    if (fresh.every((proof, index) => proof === used[index] || proof === undefined)) return response;
    await response.bytes();
    return this.#sendAs(request, fresh[0]);
  }

  async upgrade(request: TransportRequest): Promise<UpgradeResponse> {
    const authorization = await this.#options.credentials?.authorization();
    const headers = wireHeaders({
      ...request.headers,
      ...this.#options.credentials?.headers,
      ...(authorization === undefined ? {} : { authorization }),
    });
    const signal = relayed(request.signal);
    const path = this.#basePath + request.path;
    return sendUpgrade(this.#connections, { ...request, path, headers, signal });
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#connections.close();
  }

  async #sendAs(request: TransportRequest, authorization: string | undefined): Promise<TransportResponse> {
    if (request.signal?.aborted) throw request.signal.reason;
    const headers = wireHeaders({
      ...request.headers,
      ...this.#options.credentials?.headers,
      ...(authorization === undefined ? {} : { authorization }),
      ...(this.#options.compress === false ? {} : { 'accept-encoding': 'gzip' }),
    });
    const path = this.#basePath + request.path;
    const session = await this.#connections.session();
    const sent: TransportRequest = { ...request, path, headers, signal: relayed(request.signal) };
    const { observer } = request;
    const facts = { server: this.address };
    if (session === undefined)
      return runStep(observer, here`http/1.1`, () => sendHttp1(this.#connections, sent), facts, sendHttp1);
    const distrust = () => this.#connections.distrust(session);
    return runStep(observer, here`http/2`, () => sendHttp2(session, sent, distrust), facts, sendHttp2);
  }
}
