/**
 * A request on its way through the server, whichever transport brought it. The transport fills in what
 * the client sent; filters add what they find out, each its own members, and nobody changes another's.
 */
import { scopeOf, type StepObserver, type Undertaking } from '@coxswain/apimachinery';
import { urgentOwner } from '@coxswain/apimachinery/fair-order.ts';
import type { WorkAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import type { AuditContext } from '../audit/audit-context.ts';
import type { RequestInfo } from '../request-info.ts';
import { anonymousUser, type UserInfo } from '../user.ts';
import type { ResponseHeaders } from './api-response.ts';
import { readHeader } from '../header-bytes.ts';
import type { RequestBody } from './request-body.ts';

export type HeaderValue = string | readonly string[] | undefined;
export type RequestHeaders = Readonly<Record<string, HeaderValue>>;

/** The other end of the connection. */
export interface Peer {
  /** Address without port; empty in process. */
  readonly address: string;
  readonly tls: boolean;
  readonly protocol: 'HTTP/1.1' | 'HTTP/2.0' | 'in-process';
  /** Kept per connection. */
  readonly certificate?: ClientCertificate | undefined;
  /** The user of an in-process transport: authentication takes it as it is. */
  readonly user?: UserInfo;
  /** For whom the last of its requests was served. */
  owner?: string;
}

/** A certificate whose key the client has; whether it is trusted is for authentication to say. */
export interface ClientCertificate {
  readonly der: Uint8Array;
  /** What the client sent along to lead to an authority. */
  readonly intermediates: readonly Uint8Array[];
}

/** What a transport knows of a request. */
export interface IncomingRequest {
  readonly method: string;
  /** Path without query, percent-encoded as it came. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Lower-case names. */
  readonly headers: RequestHeaders;
  /** Names and values in turn, as they came; absent where `headers` has each value apart. */
  readonly rawHeaders?: readonly string[] | undefined;
  readonly body: RequestBody;
  readonly peer: Peer;
  /** Whether objects may be handed over by reference, both ways. */
  readonly structured: boolean;
  readonly observer?: StepObserver | undefined;
  /** A signal that aborts when the client goes away; made on first use, since most requests need none. */
  signal(): AbortSignal;
}

export class ApiRequest {
  /** Exchanged by who has read its body before the handler did. */
  incoming: IncomingRequest;
  readonly method: string;
  readonly headers: RequestHeaders;
  /** Sees the steps of this request from here on. */
  observer: StepObserver | undefined;
  /** What filters send along with the answer; the answer's own headers join or replace them. */
  readonly responseHeaders: ResponseHeaders = {};
  info: RequestInfo = unparsed;
  user: UserInfo = anonymousUser;
  /** Who really asks, when `user` is impersonated. */
  impersonator: UserInfo | undefined = undefined;
  auditId = '';
  /** Milliseconds on the server's wall clock, and on its monotonic clock. */
  receivedAtMs = 0;
  startedAtMs = 0;
  /** When it was known who asks, and when there was an answer, on the same clock; 0 before. */
  authenticatedAtMs = 0;
  answeredAtMs = 0;
  /** When a request that is not long-running must be answered, on the monotonic clock. */
  deadlineMs = Number.POSITIVE_INFINITY;
  longRunning = false;
  /** Of the cluster's own parts, which go before all others. */
  isUrgent = false;
  /** Whether all paths were there when it came. */
  pathsWereInstalled = true;
  /** Set where another thread can serve it anew: what this one may do for it. */
  allowance: WorkAllowance | undefined = undefined;
  /** To be called when another thread has it: this one then has room for others. */
  onElsewhere: (() => void) | undefined = undefined;
  /** What the audit log will be told; absent where that is nothing. */
  audit: AuditContext | undefined = undefined;
  /** To be called once when the watch ends; who opens one takes it away from here. */
  onWatchEnd: (() => void) | undefined = undefined;
  #warnings: string[] | undefined = undefined;
  #parameters: URLSearchParams | undefined = undefined;

  /** @param observer sees requests of clients that bring none of their own */
  constructor(incoming: IncomingRequest, observer = incoming.observer) {
    this.incoming = incoming;
    this.method = incoming.method;
    this.headers = incoming.headers;
    this.observer = observer && scopeOf(observer, () => requestUndertaking(incoming));
  }

  get namespace(): string {
    return this.info.namespace;
  }

  /** For whom work that can wait is done: it is divided among users. */
  get owner(): string {
    return this.isUrgent ? urgentOwner : this.user.name;
  }

  get signal(): AbortSignal {
    return this.incoming.signal();
  }

  /** The query's parameters; parsed on first use. */
  get parameters(): URLSearchParams {
    return (this.#parameters ??= new URLSearchParams(withoutSemicolons(this.incoming.query)));
  }

  get hasQuery(): boolean {
    return this.incoming.query !== '';
  }

  /** Adds a warning for the client; equal texts are sent once. */
  warn(text: string): void {
    const warnings = (this.#warnings ??= []);
    if (text !== '' && !warnings.includes(text)) warnings.push(text);
  }

  get warnings(): readonly string[] {
    return this.#warnings ?? noWarnings;
  }

  /** All values of a header that was sent several times, read as UTF-8. A value with a comma is one value. */
  headerValues(name: string): readonly string[] {
    const joined = this.headers[name];
    if (joined === undefined) return noValues;
    const { rawHeaders } = this.incoming;
    if (rawHeaders === undefined) return (typeof joined === 'string' ? [joined] : joined).map(readHeader);
    const values: string[] = [];
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      if (rawHeaders[at]!.toLowerCase() === name) values.push(readHeader(rawHeaders[at + 1]!));
    }
    return values;
  }

  /** The one value of a header; the first where there are several. */
  header(name: string): string | undefined {
    const value = this.headers[name];
    return typeof value === 'string' || value === undefined ? value : value[0];
  }
}

/** A request as what is undertaken. */
export const requestUndertaking = ({ method, path, query, headers }: IncomingRequest): Undertaking => ({
  kind: 'request',
  component: 'kube-apiserver',
  name: `${method} ${query === '' ? path : `${path}?${query}`}`,
  causes: headers['traceparent'] ? [{ by: 'call', traceParent: String(headers['traceparent']) }] : [],
});

/** A parameter with a semicolon is left out, as Go does since semicolons no longer separate. */
const withoutSemicolons = (query: string): string =>
  query.includes(';')
    ? query
        .split('&')
        .filter((pair) => !pair.includes(';'))
        .join('&')
    : query;

const noValues: readonly string[] = [];

const noWarnings: readonly string[] = [];

const unparsed: RequestInfo = {
  isResourceRequest: false,
  path: '',
  verb: '',
  apiPrefix: '',
  group: '',
  version: '',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
  parts: [],
  deprecatedWatch: false,
};
