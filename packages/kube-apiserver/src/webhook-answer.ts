/** Parses the response of a webhook, or makes an error with the usual message of clients. */
import { genericServerResponse } from '@coxswain/apimachinery';
import type { WebhookAnswer } from './webhook-connection.ts';

/** @throws Error for an unsuccessful response, and for one that is not a JSON object */
export function answeredObject(answer: WebhookAnswer): object {
  const { body } = answer;
  const problem = answerProblem(answer);
  if (problem !== undefined) throw new Error(problem);
  const value = parsed(body);
  if (typeof value === 'object' && value !== null) return value;
  throw new Error(`couldn't get version/kind; json parse error: ${JSON.stringify(body.slice(0, shownMax))}`);
}

/** The problem of an unsuccessful response; undefined for a successful one. */
export const answerProblem = ({ status, body }: WebhookAnswer): string | undefined =>
  status >= 200 && status <= 299 ? undefined : (statedMessage(parsed(body)) ?? genericMessage(status, body));

/** The number of characters of a response that a message shows. */
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
