/** In-process webhooks that record their requests. */
import { answerBytesMax, AnswerTooLong } from '../webhooks/read-answer.ts';
import type { WebhookCaller, WebhookHttpAnswer } from '../webhooks/webhook-caller.ts';

export interface AskedReview {
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    readonly name?: string;
    readonly operation?: string;
    readonly kind?: object;
    readonly object?: Readonly<Record<string, unknown>> | null;
    readonly oldObject?: object | null;
    readonly options?: object | null;
    readonly desiredAPIVersion?: string;
    readonly objects?: readonly Readonly<Record<string, unknown>>[];
  };
}

/** A string is sent as it is, an object as JSON. */
export type PlayedWebhook = (review: AskedReview) => unknown;

export interface PlayedWebhooks extends WebhookCaller {
  /** By path, in order. */
  readonly asked: Record<string, AskedReview[]>;
}

/** @param hooks by path: `/deny` */
export function playedWebhooks(hooks: Readonly<Record<string, PlayedWebhook>>): PlayedWebhooks {
  const asked: Record<string, AskedReview[]> = {};
  return {
    asked,
    async send({ endpoint, body, bytesMax = answerBytesMax }): Promise<WebhookHttpAnswer> {
      const review = JSON.parse(body ?? '{}') as AskedReview;
      (asked[endpoint.path] ??= []).push(review);
      const answer = hooks[endpoint.path]?.(review);
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer ?? {});
      if (text.length > bytesMax) throw new AnswerTooLong(bytesMax);
      return { status: answer === undefined ? 404 : 200, header: () => undefined, body: text };
    },
    close: () => undefined,
  };
}

/** An AdmissionReview that answers `review`. */
export const reviewed = ({ apiVersion, request }: AskedReview, response: object = {}): object => ({
  apiVersion,
  kind: 'AdmissionReview',
  response: { uid: request.uid, allowed: true, ...response },
});

export const patched = (review: AskedReview, operations: readonly object[]): object =>
  reviewed(review, { patchType: 'JSONPatch', patch: btoa(JSON.stringify(operations)) });
