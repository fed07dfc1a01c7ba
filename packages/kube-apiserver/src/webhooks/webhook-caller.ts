/** The interface for calling webhooks; `network-webhook-caller.ts` implements it over the network. */
import type { Dial } from '../egress/dial.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

export interface WebhookRequest {
  readonly endpoint: WebhookEndpoint;
  readonly method: 'POST' | 'GET';
  /** Including its query. */
  readonly path: string;
  readonly body: string | undefined;
  /** The maximum size of the response; by default that of `readAnswer`. */
  readonly bytesMax?: number | undefined;
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
   * Resolves with any response.
   * @throws WebhookDialError when there was none, AnswerTooLong, Error when it was cut off, the signal's reason when it
   *   aborted
   */
  send(request: WebhookRequest): Promise<WebhookHttpAnswer>;
  close(): void;
}

/** The dialers for webhooks, unless connections are direct: for those behind services, and for those with URLs. */
export interface WebhookDials {
  readonly services?: Dial | undefined;
  readonly addresses?: Dial | undefined;
}

/** No response: the reason in the words of Go's HTTP client, without method and address. */
export class WebhookDialError extends Error {
  override readonly name = 'WebhookDialError';
}
