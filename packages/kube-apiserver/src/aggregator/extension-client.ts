/** Requests to extension servers: proxied requests of clients, and this server's own. */
import { StatusError, type Clock } from '@coxswain/apimachinery';
import type { APIService } from '@coxswain/api/apiregistration/v1/index.ts';
import { jsonInSteps } from '@coxswain/apimachinery/json-in-steps.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { nobody, stepsInSlices } from '@coxswain/apimachinery/slices.ts';
import { ApiRequest, noBody, type ApiResponse, type UserInfo } from '@coxswain/apiserver';
import { textResponse } from '@coxswain/apiserver/http/api-response.ts';
import { nowhere } from '@coxswain/apiserver/http/http1/write-answer.ts';
import { responseBytes } from '@coxswain/apiserver/http/in-process.ts';
import { unreachable, type Forwarder, type ForwardTarget } from '../proxy/forwarder.ts';
import type { Address, ServiceResolver } from '../service-address.ts';
import { checkRootCertificates } from '../webhooks/root-certificates.ts';

export interface ExtensionClientParts {
  readonly clock: Clock;
  readonly forwarder: Forwarder;
  readonly resolve: ServiceResolver;
}

export interface ExtensionResponse {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Has all permissions on every extension server that trusts this one. */
const aggregatorUser: UserInfo = { name: 'system:kube-aggregator', groups: ['system:masters'] };

/** The timeout of requests for discovery documents. */
const documentMsMax = 5_000;
/** The maximum size of a document: those of a whole Kubernetes have half of it. */
const documentBytesMax = 8 * 1024 * 1024;
const probesAtOnce = 5;

export class ExtensionClient {
  readonly #parts: ExtensionClientParts;

  constructor(parts: ExtensionClientParts) {
    this.#parts = parts;
  }

  /** @throws StatusError 503 without a route to the server, 500 for a bundle that contains no certificate */
  async forward(request: ApiRequest, apiService: APIService): Promise<ApiResponse> {
    const extension = extensionOf(apiService, request.user);
    const address = await this.#address(apiService).catch(() => {
      throw new StatusError(503, 'ServiceUnavailable', 'service unavailable');
    });
    const { path } = request.incoming;
    const target = { ...targetOf(address, path, extension), query: sortedQuery(request) };
    const answer = await this.#parts.forwarder.forward(request, target);
    return isRedirect(answer) ? redirectRefused(answer) : answer;
  }

  /** Fetches a document of the server. @throws Error when that fails */
  async get(apiService: APIService, path: string, accept: string): Promise<ExtensionResponse> {
    const address = await this.#address(apiService);
    return this.#ask(apiService, address, { path, accept }, async (response, signal) => {
      const bytes = await responseBytes(response, signal, documentBytesMax + 1);
      if (bytes.length > documentBytesMax) throw new Error(`${path} has more than ${documentBytesMax} bytes`);
      const contentType = String(response.headers['content-type'] ?? '');
      return { status: response.status, contentType, text: new TextDecoder().decode(bytes) };
    });
  }

  /** Parses a document in slices. @throws SyntaxError */
  parsed(text: string): Promise<unknown> {
    return stepsInSlices(jsonInSteps(text), this.#parts.clock, nobody);
  }

  /**
   * @throws StatusError for a bundle without certificates, Error with the condition's message when every attempt fails
   */
  async probe(apiService: APIService): Promise<void> {
    extensionOf(apiService, aggregatorUser);
    const attempts = Array.from({ length: probesAtOnce }, () => this.#attempt(apiService));
    await Promise.any(attempts).catch(({ errors }: AggregateError) => {
      throw errors.at(-1);
    });
  }

  async #attempt(apiService: APIService): Promise<void> {
    const { group = '', version = '' } = apiService.spec ?? {};
    const address = await this.#address(apiService);
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const url = `https://${hostPort(address)}${path}`;
    const failed = `failing or missing response from ${url}: `;
    const asked = this.#ask(apiService, address, { path, accept: '*/*' }, ({ status, body }) => {
      leave(body);
      return status;
    });
    const status = await asked.catch((failure: Error) => {
      throw new Error(`${failed}Get ${JSON.stringify(url)}: ${failure.message.replace(unreachable, '')}`);
    });
    if (status < 200 || status >= 300) throw new Error(`${failed}bad status from ${url}: ${status}`);
  }

  /** The timeout covers the whole response, as far as it is read. */
  async #ask<Read>(
    apiService: APIService,
    address: Address,
    { path, accept }: { readonly path: string; readonly accept: string },
    read: (response: ApiResponse, signal: AbortSignal) => Read | Promise<Read>,
  ): Promise<Read> {
    const timeout = new AbortController();
    const timer = this.#parts.clock.after(documentMsMax, () => timeout.abort(), { idle: true });
    const { signal } = timeout;
    const request = new ApiRequest({
      method: 'GET',
      path,
      query: '',
      headers: { accept, 'user-agent': 'Go-http-client/2.0' },
      body: noBody,
      peer: { address: '', tls: false, protocol: 'in-process' },
      structured: false,
      signal: () => signal,
    });
    request.user = aggregatorUser;
    const target = targetOf(address, path, extensionOf(apiService, aggregatorUser));
    let awaited = 'awaiting headers';
    const late = (cause?: unknown) =>
      new Error(`context deadline exceeded (Client.Timeout exceeded while ${awaited})`, { cause });
    try {
      const response = await this.#parts.forwarder.forward(request, target);
      awaited = 'reading body';
      const answer = await read(response, signal);
      if (signal.aborted) throw late();
      return answer;
    } catch (failure) {
      throw signal.aborted ? late(failure) : failure;
    } finally {
      timer.cancel();
    }
  }

  #address({ spec }: APIService): Promise<Address> {
    const { namespace = '', name = '', port = 443 } = spec?.service ?? {};
    return this.#parts.resolve({ namespace, name, port });
  }
}

/** In Go's order: by name, values of one name in their order. */
function sortedQuery({ parameters }: ApiRequest): string {
  const sorted = new URLSearchParams(parameters);
  sorted.sort();
  return sorted.toString();
}

const isRedirect = ({ status, headers }: ApiResponse): boolean =>
  status >= 300 && status <= 399 && headers['location'] !== undefined;

/** An extension server must not redirect a client with its credentials elsewhere. */
function redirectRefused({ body }: ApiResponse): ApiResponse {
  leave(body);
  return textResponse(502, 'the backend attempted to redirect this request, which is not permitted');
}

/** Ends the source of a body that is not read. */
function leave(body: ApiResponse['body']): void {
  if (body.kind === 'stream') body.open(nowhere);
}

const hostPort = ({ host, port }: Address): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

const targetOf = (
  address: Address,
  path: string,
  extension: NonNullable<ForwardTarget['extension']>,
): ForwardTarget => ({ ...address, scheme: 'https', path, pathPrefix: '', extension });

function extensionOf({ spec }: APIService, user: UserInfo): NonNullable<ForwardTarget['extension']> {
  const { service, caBundle, insecureSkipTLSVerify = false } = spec ?? {};
  const bundle = caBundle ? atob(caBundle) : '';
  if (bundle !== '') {
    try {
      checkRootCertificates(bundle);
    } catch (failure) {
      throw new StatusError(500, 'InternalError', messageOf(failure));
    }
  }
  return {
    serverName: `${service?.name ?? ''}.${service?.namespace ?? ''}.svc`,
    ...(bundle !== '' && { authorities: bundle }),
    takesAnyCertificate: insecureSkipTLSVerify,
    user,
  };
}
