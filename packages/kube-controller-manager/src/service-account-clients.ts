/** Clients that act as service accounts in kube-system. */

import type { TokenRequest } from '@coxswain/api/authentication/v1/token-request.ts';
import { ignoring, isStatusError, epochMsOf, type Clock, type KubeObject } from '@coxswain/apimachinery';
import {
  KubeClient,
  RestClient,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '@coxswain/client';

const namespace = 'kube-system';
/** A token is renewed after this part of its lifetime. */
const renewalShare = 0.8;
const tokenSeconds = 3600;

/**
 * @param plain a transport without credentials of its own
 * @param manager the controller manager's own client, which may request tokens
 */
export function serviceAccountClients(
  plain: Transport,
  manager: KubeClient,
  clock: Clock,
): (serviceAccount: string) => KubeClient {
  const clients = new Map<string, KubeClient>();
  return (serviceAccount) => {
    const known = clients.get(serviceAccount);
    if (known !== undefined) return known;
    const tokens = new Tokens(manager, serviceAccount, clock);
    // As upstream, accounts exist from the start; a failure occurs again with the first request.
    tokens.ensureAccount().catch(() => {});
    const client = new KubeClient(
      new RestClient({
        transport: new TokenTransport(plain, tokens),
        clock,
        userAgent: `kube-controller-manager/coxswain/system:serviceaccount:${namespace}:${serviceAccount}`,
      }),
    );
    clients.set(serviceAccount, client);
    return client;
  };
}

class Tokens {
  readonly #manager: KubeClient;
  readonly #serviceAccount: string;
  readonly #clock: Clock;
  #token: Promise<string> | undefined;
  #renewMs = 0;

  constructor(manager: KubeClient, serviceAccount: string, clock: Clock) {
    this.#manager = manager;
    this.#serviceAccount = serviceAccount;
    this.#clock = clock;
  }

  get(): Promise<string> {
    if (this.#token === undefined || this.#clock.now() >= this.#renewMs) {
      this.#renewMs = Infinity;
      this.#token = this.#request();
      this.#token.catch(() => (this.#token = undefined));
    }
    return this.#token;
  }

  async ensureAccount(): Promise<void> {
    const accounts = this.#manager.resource('v1', 'serviceaccounts').namespace(namespace);
    const metadata = { name: this.#serviceAccount, namespace };
    try {
      await accounts.get(this.#serviceAccount);
    } catch (missing) {
      if (!isStatusError(missing, 'NotFound')) throw missing;
      await ignoring(
        'AlreadyExists',
        accounts.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata }),
      );
    }
  }

  async #request(): Promise<string> {
    const accounts = this.#manager.resource('v1', 'serviceaccounts').namespace(namespace);
    const name = this.#serviceAccount;
    const request = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: { name, namespace },
      spec: { expirationSeconds: tokenSeconds },
    } as KubeObject;
    const ask = () => accounts.create(request, { name, subresource: 'token' }) as Promise<TokenRequest>;
    let answer: TokenRequest;
    try {
      answer = await ask();
    } catch (error) {
      if (!isStatusError(error, 'NotFound')) throw error;
      await this.ensureAccount();
      answer = await ask();
    }
    const nowMs = this.#clock.now();
    this.#renewMs = nowMs + (epochMsOf(answer.status!.expirationTimestamp) - nowMs) * renewalShare;
    return answer.status!.token;
  }
}

class TokenTransport implements Transport {
  readonly #plain: Transport;
  readonly #tokens: Tokens;

  constructor(plain: Transport, tokens: Tokens) {
    this.#plain = plain;
    this.#tokens = tokens;
  }

  get structured(): boolean {
    return this.#plain.structured;
  }

  get address(): string {
    return this.#plain.address;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    const authorization = `Bearer ${await this.#tokens.get()}`;
    return this.#plain.send({ ...request, headers: { ...request.headers, authorization } });
  }

  async close(): Promise<void> {}
}
