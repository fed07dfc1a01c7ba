/** What scenarios ask a cluster over: JSON in and out, as one user or another. */
import { createClient } from '@coxswain/client';
import type { Transport } from '@coxswain/client/transport.ts';
import type { Clock } from '@coxswain/apimachinery';
import type { Json } from './scenario.ts';

export interface Answer {
  readonly status: number;
  // The shape of an answer is what the scenario asks about: paths look into it.
  readonly body: OpenObject;
}

/** An object of whatever kind; only what all kinds share is named. */
export interface OpenObject {
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly generateName?: string;
    readonly uid?: string;
    readonly creationTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly deletionTimestamp?: string;
    readonly ownerReferences?: readonly { readonly kind: string }[];
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly hostNetwork?: boolean;
    readonly containers?: readonly { readonly name: string; readonly image: string }[];
    readonly taints?: readonly { readonly key: string }[];
  };
  readonly status: { readonly phase?: string; readonly podIP?: string };
  readonly items?: readonly OpenObject[];
}

export interface RequestOptions {
  readonly body?: Json | undefined;
  readonly type?: string | undefined;
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
}

/** How a user of this name asks. */
export type TransportOf = (user: string) => Transport;

export class ScenarioClient {
  readonly clock: Clock;
  readonly #transportOf: TransportOf;
  readonly #transport: Transport;

  constructor(transportOf: TransportOf, clock: Clock, user = 'admin') {
    this.clock = clock;
    this.#transportOf = transportOf;
    this.#transport = transportOf(user);
  }

  as(user: string): ScenarioClient {
    return new ScenarioClient(this.#transportOf, this.clock, user);
  }

  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { body, type = 'application/json', headers } = options;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await this.#transport.send({
      method,
      path: encodeURI(path).replaceAll('%25', '%'),
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
      },
      ...(body !== undefined && { body: new TextEncoder().encode(text) }),
    });
    return { status: answer.status, body: parsed(new TextDecoder().decode(await answer.bytes())) };
  }

  get(path: string): Promise<Answer> {
    return this.request('GET', path);
  }

  post(path: string, body: Json): Promise<Answer> {
    return this.request('POST', path, { body });
  }

  delete(path: string, body?: Json): Promise<Answer> {
    return this.request('DELETE', path, { body });
  }

  /** All pods as they are and become, until the signal; a watch that ends begins anew. */
  async followPods(seen: (type: string, pod: OpenObject) => void, signal: AbortSignal): Promise<void> {
    const pods = createClient({ transport: this.#transport, clock: this.clock }).resource('v1', 'pods');
    while (!signal.aborted) {
      try {
        for await (const { type, object } of pods.watch({ signal }))
          seen(type, object as unknown as OpenObject);
      } catch {
        if (!signal.aborted) await this.clock.sleep(50);
      }
    }
  }
}

function parsed(text: string): OpenObject {
  try {
    return JSON.parse(text) as OpenObject;
  } catch {
    return text as unknown as OpenObject;
  }
}
