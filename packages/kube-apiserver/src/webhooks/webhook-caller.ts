/** How webhooks are reached; the way over the network is `network-webhook-caller.ts`. */
import type { Dial } from '../egress/dial.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

export interface WebhookRequest {
  readonly endpoint: WebhookEndpoint;
  readonly method: 'POST' | 'GET';
  /** With its query. */
  readonly path: string;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
  /** The header `traceparent`. */
  readonly traceParent?: string | undefined;
}

export interface WebhookHttpAnswer {
  readonly status: number;
  /** Lower-case names; the first value of each. */
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

export interface WebhookCaller {
  /**
   * Resolves with whatever came as an answer.
   * @throws WebhookDialError when none came, Error when it broke off, the signal's reason when it aborted
   */
  send(request: WebhookRequest): Promise<WebhookHttpAnswer>;
  close(): void;
}

/** The ways to webhooks where they aren't straight ahead: to those behind services, and to those with addresses. */
export interface WebhookDials {
  readonly services?: Dial | undefined;
  readonly addresses?: Dial | undefined;
}

/** No answer: the reason as Go's HTTP client words it, without method and address. */
export class WebhookDialError extends Error {
  override readonly name = 'WebhookDialError';
}
