/**
 * Spans of requests: one for the whole, one for each step on its way. Which requests are traced is decided by who
 * asks: clients that may be trusted bring the decision along (W3C `traceparent`), of the others a sample is taken.
 */
import type { Clock, Random, StepObserver } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import { parseTraceParent, randomHex, type TraceParent } from '@coxswain/apimachinery/trace-parent.ts';
import { isTrustedWithTraces } from './trusted-client.ts';

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: 'server' | 'internal';
  readonly startMs: number;
  endMs: number;
  readonly attributes: Record<string, string | number>;
  /** The trace of a client whose decision was not followed. */
  readonly link: TraceParent | undefined;
  failure: string | undefined;
}

export interface TracerOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Of a million requests that bring no decision; undefined: none. */
  readonly samplesPerMillion: number | undefined;
  /** Takes the spans of a request that is over. */
  readonly take: (spans: readonly Span[]) => void;
  /** Sends what was taken. */
  readonly flush: () => Promise<void>;
}

/** Spans of one request; of more steps only the first are told. */
const spansMax = 500;

export class Tracer {
  readonly #options: TracerOptions;

  constructor(options: TracerOptions) {
    this.#options = options;
  }

  /** Undefined for a request that isn't traced. */
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
  /** Sees the steps of the request. */
  readonly observer: StepObserver;
  readonly #options: TracerOptions;
  readonly #spans: Span[] = [];
  readonly #root: Span;
  /** The step that is under way. */
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

  /** For whoever is asked now: `00-<trace>-<span>-01`. */
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

/** `GET /api/v1/namespaces/{:namespace}/pods/{:name}`: the same for all that do the same. */
function spanName({ method, info }: ApiRequest): string {
  if (!info.isResourceRequest) return method;
  const group = info.group === '' ? '' : `/${info.group}`;
  const namespace = info.namespace === '' ? '' : '/namespaces/{:namespace}';
  const name = info.name === '' ? '' : '/{:name}';
  const subresource = info.subresource === '' ? '' : `/${info.subresource}`;
  return `${method} /${info.apiPrefix}${group}/${info.version}${namespace}/${info.resource}${name}${subresource}`;
}
