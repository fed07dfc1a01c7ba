/**
 * A request on its way through the server, from any transport. The transport fills in what the client sent; each filter
 * sets its own members and leaves the others alone.
 */
import { scopeOf, type KubeObject, type StepObserver, type Undertaking } from '@coxswain/apimachinery';
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
  /** The address without port; empty for in-process transports. */
  readonly address: string;
  readonly tls: boolean;
  readonly protocol: 'HTTP/1.1' | 'HTTP/2.0' | 'in-process';
  /** Cached per connection. */
  readonly certificate?: ClientCertificate | undefined;
  /** The user of an in-process transport, which authentication trusts. */
  readonly user?: UserInfo;
  /** The user whose request was last served on this connection. */
  owner?: string;
}

/** A certificate whose private key the client has proven to hold; authentication decides whether to trust it. */
export interface ClientCertificate {
  readonly der: Uint8Array;
  /** Further certificates that the client sent. */
  readonly intermediates: readonly Uint8Array[];
}

/** A request as the transport received it. */
export interface IncomingRequest {
  readonly method: string;
  /** The path without query, percent-encoded as received. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Lower-case names. */
  readonly headers: RequestHeaders;
  /** Names and values alternating, as received; absent if `headers` already has all values separately. */
  readonly rawHeaders?: readonly string[] | undefined;
  readonly body: RequestBody;
  readonly peer: Peer;
  /** Whether objects may be passed by reference in both directions. */
  readonly structured: boolean;
  readonly observer?: StepObserver | undefined;
  /**
   * The time on the server's monotonic clock at which a response that the client has not read is given up; the server
   * sets it. Never if unset.
   */
  deadlineMs?: number;
  /**
   * A signal that aborts when the client disconnects or has its response; created on first use, since most requests
   * need none.
   */
  signal(): AbortSignal;
}

export class ApiRequest {
  /** Replaced when a filter reads the body before the handler does. */
  incoming: IncomingRequest;
  readonly method: string;
  readonly headers: RequestHeaders;
  /** Observes the steps of this request from here on. */
  observer: StepObserver | undefined;
  /** Headers that filters add to the response; the response's own headers join or replace them. */
  readonly responseHeaders: ResponseHeaders = {};
  info: RequestInfo = unparsed;
  user: UserInfo = anonymousUser;
  /** The real requestor, when `user` is impersonated. */
  impersonator: UserInfo | undefined = undefined;
  auditId = '';
  /** Milliseconds on the server's wall clock, and on its monotonic clock. */
  receivedAtMs = 0;
  startedAtMs = 0;
  /** When the user was authenticated and when the response was ready, on the same clock; 0 until then. */
  authenticatedAtMs = 0;
  answeredAtMs = 0;
  /** The deadline of a request that is not long-running, on the monotonic clock. */
  deadlineMs = Number.POSITIVE_INFINITY;
  longRunning = false;
  /** Whether it comes from the cluster's own components, which have priority. */
  isUrgent = false;
  /** Whether all paths had been installed when it arrived. */
  pathsWereInstalled = true;
  /** Set if another thread can serve the request: what this thread may spend on it. */
  allowance: WorkAllowance | undefined = undefined;
  /** Called when another thread has taken over, which frees capacity here. */
  onElsewhere: (() => void) | undefined = undefined;
  /** The object in the response; absent for lists and errors. */
  answered: { readonly object: KubeObject } | undefined = undefined;
  /** The audit data; absent if the request is not audited. */
  audit: AuditContext | undefined = undefined;
  /** To be called once when the watch ends; the handler that opens the watch claims it by removing it. */
  onWatchEnd: (() => void) | undefined = undefined;
  #warnings: Set<string> | undefined = undefined;
  #parameters: URLSearchParams | undefined = undefined;

  /** @param observer for clients' requests that bring no observer of their own */
  constructor(incoming: IncomingRequest, observer = incoming.observer) {
    this.incoming = incoming;
    this.method = incoming.method;
    this.headers = incoming.headers;
    this.observer = observer && scopeOf(observer, () => requestUndertaking(incoming));
  }

  get namespace(): string {
    return this.info.namespace;
  }

  /** Whom to charge for deferrable work, which is divided fairly: the user, or the address of an unknown one. */
  get owner(): string {
    if (this.isUrgent) return urgentOwner;
    return this.user === anonymousUser ? this.incoming.peer.address : this.user.name;
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
    if (text !== '') (this.#warnings ??= new Set()).add(text);
  }

  get warnings(): readonly string[] {
    return this.#warnings === undefined ? noWarnings : [...this.#warnings];
  }

  /** All values of a repeated header, decoded as UTF-8. A value with a comma counts as one. */
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

  /** The value of a header; the first if it is repeated. */
  header(name: string): string | undefined {
    const value = this.headers[name];
    return typeof value === 'string' || value === undefined ? value : value[0];
  }
}

/** Describes a request as an undertaking for observers. */
export const requestUndertaking = ({ method, path, query, headers }: IncomingRequest): Undertaking => ({
  kind: 'request',
  component: 'kube-apiserver',
  name: `${method} ${query === '' ? path : `${path}?${query}`}`,
  causes: headers['traceparent'] ? [{ by: 'call', traceParent: String(headers['traceparent']) }] : [],
});

/** Parameters that contain a semicolon are dropped, as Go has done since semicolons ceased to be separators. */
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
