/**
 * Posts one review to a webhook as client-go does: follows redirects, retries after Retry-After, and turns unsuccessful
 * responses into client-go's errors.
 */
import {
  genericServerResponse,
  goQuote,
  internalError,
  StatusError,
  type Clock,
  type Status,
} from '@coxswain/apimachinery';
import { formatDurationMs } from '@coxswain/apimachinery/duration.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { WebhookDialError, type WebhookCaller, type WebhookHttpAnswer } from './webhook-caller.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

export interface ReviewPost {
  readonly caller: WebhookCaller;
  readonly clock: Clock;
  readonly endpoint: WebhookEndpoint;
  readonly body: string;
  /** The maximum size of the response; by default that of `readAnswer`. */
  readonly bytesMax?: number | undefined;
  /** The timeout. */
  readonly timeoutMs: number;
  /** Aborts when the waiting client disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** The header `traceparent`. */
  readonly traceParent?: string | undefined;
}

/** As in client-go. */
const retriesMax = 10;
const redirectsMax = 10;

/** The text of a successful response. @throws StatusError or Error, as client-go does; its cause may be AnswerTooLong */
export async function postReview(post: ReviewPost): Promise<string> {
  const timer = new AbortController();
  const timeout = post.clock.after(post.timeoutMs, () => timer.abort(deadlineExceeded), { idle: true });
  const leave = () => timer.abort(canceled);
  post.signal?.addEventListener('abort', leave, { once: true });
  try {
    return successText(await sent(post, timer.signal));
  } finally {
    timeout.cancel();
    post.signal?.removeEventListener('abort', leave);
  }
}

const deadlineExceeded = new WebhookDialError('context deadline exceeded');
/** The client disconnected. */
export const canceled = new WebhookDialError('context canceled');

async function sent(post: ReviewPost, signal: AbortSignal): Promise<WebhookHttpAnswer> {
  const seconds = Math.ceil(post.timeoutMs / 1000);
  const path = `${post.endpoint.path}?timeout=${formatDurationMs(seconds * 1000)}`;
  for (let retries = 0; ; retries++) {
    const answer = await followed({ ...post, path, signal, method: 'POST' });
    const retryAfterSeconds = retries < retriesMax ? askedToWait(answer) : undefined;
    if (retryAfterSeconds === undefined) return answer;
    await post.clock.sleep(retryAfterSeconds * 1000, signal);
  }
}

function askedToWait(answer: WebhookHttpAnswer): number | undefined {
  if (answer.status !== 429 && answer.status < 500) return undefined;
  const text = answer.header('retry-after');
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Math.max(0, Number(text)) : undefined;
}

interface Hop {
  readonly caller: WebhookCaller;
  readonly endpoint: WebhookEndpoint;
  readonly method: 'POST' | 'GET';
  readonly path: string;
  readonly body: string | undefined;
  readonly bytesMax?: number | undefined;
  readonly signal: AbortSignal;
  readonly traceParent?: string | undefined;
}

async function followed(first: Hop): Promise<WebhookHttpAnswer> {
  let hop = first;
  for (let hops = 0; ; hops++) {
    const answer = await sentOnce(hop);
    const location = redirectsTo(answer);
    if (location === undefined) return answer;
    const next = nextHop(hop, answer.status, location);
    if (hops === redirectsMax - 1) throw posting(location, `stopped after ${redirectsMax} redirects`);
    hop = next;
  }
}

async function sentOnce(hop: Hop): Promise<WebhookHttpAnswer> {
  try {
    return await hop.caller.send(hop);
  } catch (failure) {
    if (failure instanceof WebhookDialError) throw named(hop, failure.message, failure);
    const message = messageOf(failure);
    const what = message.startsWith('stream error:')
      ? 'stream error when reading response body, may be caused by closed connection.'
      : 'unexpected error when reading response body.';
    throw new Error(`${what} Please retry. Original error: ${message}`, { cause: failure });
  }
}

/** `Post "https://…": connection refused`; the method stays the same after redirects. */
const posting = (url: string, reason: string, cause?: unknown): Error =>
  new Error(`Post ${goQuote(url)}: ${reason}`, { cause });

const named = ({ endpoint, path }: Hop, reason: string, cause?: unknown): Error =>
  posting(`${endpoint.origin}${path}`, reason, cause);

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const redirectsTo = (answer: WebhookHttpAnswer): string | undefined =>
  redirects.has(answer.status) ? answer.header('location') : undefined;

/** Only 307 and 308 resend the body; all others become a GET. */
function nextHop(hop: Hop, status: number, location: string): Hop {
  const target = new URL(location, `${hop.endpoint.origin}${hop.path}`);
  const path = `${target.pathname}${target.search}`;
  const isSamePlace = target.origin === new URL(hop.endpoint.origin).origin;
  const { authorities, credentials } = hop.endpoint;
  const endpoint = isSamePlace
    ? hop.endpoint
    : {
        origin: target.origin,
        host: target.hostname.replace(/^\[|\]$/g, ''),
        port: Number(target.port || (target.protocol === 'https:' ? 443 : 80)),
        path,
        authorities,
        credentials,
      };
  const keepsBody = status === 307 || status === 308;
  return keepsBody ? { ...hop, endpoint, path } : { ...hop, endpoint, path, method: 'GET', body: undefined };
}

/** @throws StatusError for any other response, and for an invalid content type */
function successText(answer: WebhookHttpAnswer): string {
  const contentType = answer.header('content-type') ?? 'application/json';
  const problem = mediaTypeProblem(contentType);
  if (problem !== undefined) throw internalError(problem);
  const { status, body } = answer;
  // A response without a type counts as text.
  if (status < 200 || status > 206) throw failureOf(answer, answer.header('content-type') ?? 'text/plain');
  if (body === '') {
    throw new Error(`0-length response with status code: ${status} and content type: ${contentType}`);
  }
  return body;
}

/** The errors of Go's mime package for a content type; only those that servers cause in practice. */
function mediaTypeProblem(contentType: string): string | undefined {
  const type = contentType.split(';')[0]!.trim();
  if (type === '') return 'mime: no media type';
  if (!/^[!#$%&'*+.^_`|~\w-]+(\/|$)/.test(type)) return 'mime: no media type';
  if (type.includes('/') && !/^[^/]+\/[!#$%&'*+.^_`|~\w-]+$/.test(type)) {
    return /^[^/]+\/$/.test(type)
      ? 'mime: expected token after slash'
      : 'mime: unexpected content after media subtype';
  }
  return undefined;
}

function failureOf({ status, body, header }: WebhookHttpAnswer, contentType: string): StatusError {
  const stated = statedFailure(body);
  if (stated !== undefined) return stated;
  const retryAfter = Number(header('retry-after') ?? 0);
  return genericServerResponse({
    code: status,
    verb: 'POST',
    resource: { group: '', resource: '' },
    name: '',
    serverMessage: contentType.startsWith('text/') ? body.trim() : 'unknown',
    retryAfterSeconds: Number.isInteger(retryAfter) ? retryAfter : 0,
    unexpected: true,
  });
}

/** A Status in the body is more specific than the status code. */
function statedFailure(body: string): StatusError | undefined {
  try {
    const status = JSON.parse(body) as Partial<Status> | null;
    if (status?.kind !== 'Status' || status.status !== 'Failure') return undefined;
    return new StatusError(status.code ?? 0, status.reason ?? '', status.message ?? '', status.details);
  } catch {
    return undefined;
  }
}
