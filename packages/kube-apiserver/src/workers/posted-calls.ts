/** Webhook calls of a thread that the main thread makes for it, because only that one reaches simulated pods. */
import { unlessAborted } from '@coxswain/apimachinery';
import { detach } from '@coxswain/apimachinery/detach.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  WebhookDialError,
  type WebhookCaller,
  type WebhookHttpAnswer,
  type WebhookRequest,
} from '../webhooks/webhook-caller.ts';

/** A call, without what cannot be sent to another thread. */
export type PostedCall = Omit<WebhookRequest, 'signal'>;

export interface PostedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type FromCaller =
  | { readonly kind: 'call'; readonly id: number; readonly call: PostedCall }
  /** Nobody waits for the answer any more. */
  | { readonly kind: 'hang-up'; readonly id: number };

export type ToCaller =
  | { readonly kind: 'answered'; readonly id: number; readonly answer: PostedAnswer }
  | {
      readonly kind: 'unanswered';
      readonly id: number;
      readonly isDialError: boolean;
      readonly message: string;
    };

/** The headers that callers read. */
const headersRead = ['content-type', 'location', 'retry-after'];

/** In the thread: hands the calls of webhooks with a Service to the main thread. */
export class CallsThroughMain implements WebhookCaller {
  readonly #post: (message: FromCaller) => void;
  readonly #elsewhere: WebhookCaller;
  readonly #open = new Map<number, (message: ToCaller) => void>();
  #lastId = 0;

  /** @param elsewhere calls all other webhooks */
  constructor(post: (message: FromCaller) => void, elsewhere: WebhookCaller) {
    this.#post = post;
    this.#elsewhere = elsewhere;
  }

  async send(request: WebhookRequest): Promise<WebhookHttpAnswer> {
    const { endpoint, method, path, body, bytesMax, traceParent, signal } = request;
    if (endpoint.service === undefined || endpoint.credentials !== undefined)
      return this.#elsewhere.send(request);
    signal.throwIfAborted();
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<ToCaller>();
    this.#open.set(id, resolve);
    this.#post({ kind: 'call', id, call: { endpoint, method, path, body, bytesMax, traceParent } });
    try {
      return answerOf(await unlessAborted(signal, promise));
    } finally {
      this.#open.delete(id);
      if (signal.aborted) this.#post({ kind: 'hang-up', id });
    }
  }

  take(message: ToCaller): void {
    this.#open.get(message.id)?.(message);
  }

  close(): void {
    this.#elsewhere.close();
  }
}

function answerOf(message: ToCaller): WebhookHttpAnswer {
  if (message.kind === 'unanswered')
    throw message.isDialError ? new WebhookDialError(message.message) : new Error(message.message);
  const { status, headers, body } = message.answer;
  return { status, body, header: (name) => headers[name] };
}

/** In the main thread: makes the calls of one thread. */
export class CallsOfThread {
  readonly #post: (message: ToCaller) => void;
  readonly #open = new Map<number, AbortController>();

  constructor(post: (message: ToCaller) => void) {
    this.#post = post;
  }

  take(message: FromCaller, caller: WebhookCaller): void {
    if (message.kind === 'hang-up') this.#open.get(message.id)?.abort();
    else detach(this.#make(message.id, message.call, caller));
  }

  /** The thread has ended. */
  close(): void {
    for (const abort of this.#open.values()) abort.abort();
  }

  async #make(id: number, call: PostedCall, caller: WebhookCaller): Promise<void> {
    const abort = new AbortController();
    this.#open.set(id, abort);
    try {
      const { status, header, body } = await caller.send({ ...call, signal: abort.signal });
      const headers = Object.fromEntries(
        headersRead.flatMap((name) => {
          const value = header(name);
          return value === undefined ? [] : [[name, value]];
        }),
      );
      this.#post({ kind: 'answered', id, answer: { status, headers, body } });
    } catch (failure) {
      const isDialError = failure instanceof WebhookDialError;
      this.#post({ kind: 'unanswered', id, isDialError, message: messageOf(failure) });
    } finally {
      this.#open.delete(id);
    }
  }
}
