/** Converts a transport's response to an object or an error. */

import { genericServerResponse, StatusError, type GroupResource, type Status } from '@coxswain/apimachinery';
import type { TransportResponse } from '../transport.ts';

/** How much of a response that is not a Status is kept for the error message. */
const unstructuredTextLengthMax = 2048;

/**
 * Returns the object of a successful response.
 * @internal
 */
export async function answerObject(response: TransportResponse): Promise<unknown> {
  if (response.object !== undefined) return response.object;
  return parseJson(await response.bytes());
}

/**
 * Returns the error of an unsuccessful response.
 * @internal
 */
export async function answerError(
  response: TransportResponse,
  verb: string,
  resource: GroupResource,
  name: string,
): Promise<StatusError> {
  const body = response.object ?? (await textOf(response));
  const status = typeof body === 'string' ? statusIn(body) : asStatus(body);
  if (status !== undefined) return StatusError.from(status);
  const text =
    typeof body === 'string' && isText(response) ? body.slice(0, unstructuredTextLengthMax).trim() : '';
  return genericServerResponse({
    code: response.status,
    verb,
    resource,
    name,
    serverMessage: text === '' ? 'unknown' : text,
    retryAfterSeconds: retryAfterSeconds(response) ?? 0,
    unexpected: true,
  });
}

/**
 * The value of the Retry-After header, if it is a number of seconds.
 * @internal
 */
export function retryAfterSeconds(response: TransportResponse): number | undefined {
  const header = response.headers['retry-after'];
  const text = typeof header === 'string' ? header : header?.[0];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Parses JSON with integers beyond 2^53 as bigints, as long as they fit into 64 bits; Go reads larger ones as doubles.
 * @internal
 */
export function parseJson(bytes: Uint8Array | string): unknown {
  const text = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
  return mayHaveLargeInteger.test(text) ? JSON.parse(text, exactInteger) : JSON.parse(text);
}

const mayHaveLargeInteger = /[:[,]\s*-?\d{16,}/;

function exactInteger(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  if (context?.source === undefined || !/^-?\d+$/.test(context.source)) return value;
  const exact = BigInt(context.source);
  return exact === BigInt.asIntN(64, exact) ? exact : value;
}

const textOf = async (response: TransportResponse): Promise<string> =>
  new TextDecoder().decode(await response.bytes());

function isText(response: TransportResponse): boolean {
  const type = response.headers['content-type'];
  return type === undefined || String(type).startsWith('text/');
}

function statusIn(text: string): Status | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return asStatus(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asStatus(value: unknown): Status | undefined {
  const status = value as Partial<Status> | null;
  return typeof status === 'object' && status?.kind === 'Status' && status.status !== 'Success'
    ? (status as Status)
    : undefined;
}
