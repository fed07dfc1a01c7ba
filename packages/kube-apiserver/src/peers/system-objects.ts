/** Reads and writes objects as the server itself, which every rule of the API allows. */
import type { Transport, TransportResponse } from '@coxswain/client/transport.ts';

const manager = 'kube-apiserver';

export class SystemObjects {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get<T>(path: string): Promise<T | undefined> {
    const answer = await this.#send('GET', path);
    return answer.status === 404 ? undefined : (checked(answer, path).object as T);
  }

  /** Another server may have been faster. */
  async create(path: string, object: object): Promise<void> {
    const answer = await this.#send('POST', path, object);
    if (answer.status !== 409) checked(answer, path);
  }

  /** If the object states a resourceVersion, no other version is replaced. */
  async replace(path: string, object: object): Promise<void> {
    checked(await this.#send('PUT', path, object), path);
  }

  async remove(path: string): Promise<void> {
    const answer = await this.#send('DELETE', path);
    if (answer.status !== 404) checked(answer, path);
  }

  #send(method: string, path: string, object?: object): Promise<TransportResponse> {
    return this.#transport.send({
      method,
      path: method === 'POST' || method === 'PUT' ? `${path}?fieldManager=${manager}` : path,
      headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': manager },
      // The server may modify the object that it receives.
      ...(object && { body: { object: structuredClone(object) } }),
    });
  }
}

function checked(answer: TransportResponse, path: string): TransportResponse {
  if (answer.status < 300) return answer;
  const { message = '' } = (answer.object ?? {}) as { readonly message?: string };
  throw new Error(`${path}: ${answer.status} ${message}`);
}
