/** The headers of a webhook call, without those that depend on the connection and on credentials. */
import type { WebhookRequest } from './webhook-caller.ts';

const userAgent = 'kube-apiserver-admission';

export const webhookHeaders = ({ body, traceParent }: WebhookRequest): Readonly<Record<string, string>> => ({
  'user-agent': userAgent,
  accept: 'application/json, */*',
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(traceParent !== undefined && { traceparent: traceParent }),
});
