/**
 * Traces requests: one span for the whole request and one for each step. Trusted clients decide whether their requests
 * are traced (W3C `traceparent`); of all others a sample is.
 */
import type { Clock, Random, StepObserver } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import { parseTraceParent, randomHex, type TraceParent } from '@coxswain/apimachinery/trace-parent.ts';
import { isTrustedWithTraces } from './trusted-client.ts';

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: 'server' | 'internal';
  readonly startMs: number;
  endMs: number;
  readonly attributes: Record<string, string | number>;
  /** The trace context of a client whose decision was not followed. */
  readonly link: TraceParent | undefined;
  failure: string | undefined;
}

export interface TracerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The sampling rate per million requests without a decision; undefined for none. */
  readonly samplesPerMillion: number | undefined;
  /** Receives the spans of a finished request. */
  readonly take: (spans: readonly Span[]) => void;
  /** Sends the received spans. */
  readonly flush: () => Promise<void>;
}

/** The maximum number of spans per request; further steps are omitted. */
const spansMax = 500;

export class Tracer {
  readonly #options: TracerOptions;

  constructor(options: TracerOptions) {
    this.#options = options;
  }

  /** Returns undefined for a request that isn't traced. */
  begin(request: ApiRequest): RequestTrace | undefined {
    const given = parseTraceParent(request.header('traceparent'));
    const isTrusted = isTrustedWithTraces(request.user);
    const parent = isTrusted ? given : undefined;
    if (!this.#isSampled(parent)) return undefined;
    return new RequestTrace(request, parent, isTrusted ? undefined : given, this.#options);
  }

  flush(): Promise<void> {
    return this.#options.flush();
  }

  #isSampled(parent: TraceParent | undefined): boolean {
    if (parent !== undefined) return parent.isSampled;
    const { samplesPerMillion = 0, random } = this.#options;
    return samplesPerMillion > 0 && random.next() * 1_000_000 < samplesPerMillion;
  }
}

export class RequestTrace {
  /** Observes the steps of the request. */
  readonly observer: StepObserver;
  readonly #options: TracerOptions;
  readonly #spans: Span[] = [];
  readonly #root: Span;
  /** The span of the current step. */
  #current: Span;

  constructor(
    request: ApiRequest,
    parent: TraceParent | undefined,
    link: TraceParent | undefined,
    options: TracerOptions,
  ) {
    this.#options = options;
    const traceId = parent?.traceId ?? randomHex(options.random, 16);
    this.#root = this.#open(
      spanName(request),
      traceId,
      parent?.spanId ?? '',
      'server',
      {
        ...requestAttributes(request),
      },
      request.receivedAtMs,
      link,
    );
    this.#current = this.#root;
    this.observer = {
      begin: (step) => {
        if (this.#spans.length >= spansMax) return;
        const above = this.#current;
        const span = (this.#current = this.#open(
          step,
          traceId,
          above.spanId,
          'internal',
          {},
          options.clock.now(),
        ));
        const over = (failure?: unknown): void => {
          span.endMs = options.clock.now();
          if (failure !== undefined) span.failure = String(failure);
          this.#current = above;
        };
        return { over };
      },
    };
  }

  /** The trace parent for outgoing calls: `00-<trace>-<span>-01`. */
  get traceParent(): string {
    return `00-${this.#current.traceId}-${this.#current.spanId}-01`;
  }

  ended(status: number): void {
    this.#root.endMs = this.#options.clock.now();
    this.#root.attributes['http.status_code'] = status;
    if (status >= 500) this.#root.failure = String(status);
    this.#options.take(this.#spans);
  }

  #open(
    name: string,
    traceId: string,
    parentSpanId: string,
    kind: Span['kind'],
    attributes: Span['attributes'],
    startMs: number,
    link?: TraceParent,
  ): Span {
    const spanId = randomHex(this.#options.random, 8);
    const span = {
      traceId,
      spanId,
      parentSpanId,
      name,
      kind,
      attributes,
      startMs,
      endMs: startMs,
      link,
      failure: undefined,
    };
    this.#spans.push(span);
    return span;
  }
}

function requestAttributes(request: ApiRequest): Record<string, string> {
  const { path, query, peer } = request.incoming;
  return {
    'http.method': request.method,
    'http.target': query === '' ? path : `${path}?${query}`,
    'http.user_agent': request.header('user-agent') ?? '',
    'net.sock.peer.addr': peer.address,
    'audit-id': request.auditId,
  };
}

/** `GET /api/v1/namespaces/{:namespace}/pods/{:name}`: the same for all requests of one route. */
function spanName({ method, info }: ApiRequest): string {
  if (!info.isResourceRequest) return method;
  const group = info.group === '' ? '' : `/${info.group}`;
  const namespace = info.namespace === '' ? '' : '/namespaces/{:namespace}';
  const name = info.name === '' ? '' : '/{:name}';
  const subresource = info.subresource === '' ? '' : `/${info.subresource}`;
  return `${method} /${info.apiPrefix}${group}/${info.version}${namespace}/${info.resource}${name}${subresource}`;
}
