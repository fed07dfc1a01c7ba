/** Webhooks of admission and conversion that are functions of this process. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { beginInWallTime } from '@coxswain/apimachinery/wall-time.ts';
import {
  WebhookDialError,
  type WebhookCaller,
  type WebhookHttpAnswer,
  type WebhookRequest,
} from '@coxswain/kube-apiserver/webhooks/webhook-caller.ts';
import type { WebhookHandler, Webhooks } from '../../types/testing.d.ts';

/** So long the cluster's time waits for one, on the wall; then it goes on, and the timeout of the webhook counts. */
const patienceMs = 500;

export class DefinedWebhooks implements Webhooks {
  readonly #handlers = new Map<string, WebhookHandler>();

  /** @param from what is defined in another one is defined here, too */
  constructor(from?: DefinedWebhooks) {
    for (const [url, handler] of from === undefined ? [] : from.#handlers) this.#handlers.set(url, handler);
  }

  get urls(): readonly string[] {
    return [...this.#handlers.keys()];
  }

  define(url: string, handler: WebhookHandler): void {
    if (typeof handler !== 'function') throw new TypeError(`webhook ${url}: the handler must be a function`);
    this.#handlers.set(keyOf(url), handler);
  }

  remove(url: string): void {
    this.#handlers.delete(keyOf(url));
  }

  find({ endpoint: { origin }, path }: WebhookRequest): WebhookHandler | undefined {
    return this.#handlers.get(keyOf(`${origin}${path}`));
  }
}

/** Port 443 may be said or not; the query is the API server's. @throws TypeError for what is no such address */
function keyOf(url: string): string {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new TypeError(`a webhook has a URL such as https://policy.default.svc/validate, not ${url}`);
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** @param elsewhere the way to all that are not defined */
export const definedWebhookCaller = (webhooks: DefinedWebhooks, elsewhere: WebhookCaller): WebhookCaller => ({
  send(request) {
    const handler = webhooks.find(request);
    return handler === undefined ? elsewhere.send(request) : answered(handler, request);
  },
  close: () => elsewhere.close(),
});

/** What a server would answer for the function. */
async function answered(
  handler: WebhookHandler,
  { body = '', signal }: WebhookRequest,
): Promise<WebhookHttpAnswer> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  const endWork = beginInWallTime(patienceMs);
  const answer = (async () => handler(JSON.parse(body)))();
  try {
    return jsonAnswer(await Promise.race([answer, aborted]));
  } catch (failure) {
    if (failure instanceof WebhookDialError) throw failure;
    const isBadReview = (failure as Error | undefined)?.name === 'BadReview';
    return plainAnswer(isBadReview ? 400 : 500, messageOf(failure));
  } finally {
    endWork();
    signal.removeEventListener('abort', abort);
    answer.catch(() => undefined);
  }
}

const jsonAnswer = (value: unknown): WebhookHttpAnswer => ({
  status: 200,
  header: (name) => (name === 'content-type' ? 'application/json' : undefined),
  body: JSON.stringify(value) ?? '',
});

const plainAnswer = (status: number, text: string): WebhookHttpAnswer => ({
  status,
  header: (name) => (name === 'content-type' ? 'text/plain; charset=utf-8' : undefined),
  body: `${text}\n`,
});
