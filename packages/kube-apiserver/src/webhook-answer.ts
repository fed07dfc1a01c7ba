/** The answer of a webhook as an object, or its failure in the words that clients have for it. */
import { genericServerResponse } from '@coxswain/apimachinery';
import type { WebhookAnswer } from './webhook-connection.ts';

/** @throws Error for an answer that isn't one of success, and for one that is no JSON object */
export function answeredObject({ status, body }: WebhookAnswer): object {
  const value = parsed(body);
  if (status < 200 || status > 299) throw new Error(statedMessage(value) ?? genericMessage(status, body));
  if (typeof value === 'object' && value !== null) return value;
  throw new Error(`couldn't get version/kind; json parse error: ${JSON.stringify(body.slice(0, shownMax))}`);
}

/** Characters of an answer that a message shows. */
const shownMax = 200;

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function statedMessage(value: unknown): string | undefined {
  const { kind, message } = (value ?? {}) as { readonly kind?: unknown; readonly message?: unknown };
  return kind === 'Status' && typeof message === 'string' ? message : undefined;
}

const genericMessage = (code: number, body: string): string =>
  genericServerResponse({
    code,
    verb: 'POST',
    resource: { group: '', resource: '' },
    name: '',
    serverMessage: body.trim() || 'unknown',
    retryAfterSeconds: 0,
    unexpected: true,
  }).message;
