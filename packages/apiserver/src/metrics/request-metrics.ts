/** The request metrics of one route and verb; created on the first request. */
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';
import type { Counter, Gauge, Histogram, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { requestDurationBounds, requestSliBounds, responseSizeBounds } from './request-bounds.ts';

/** The resource of a route, and the release that removes it if it is deprecated. */
export interface RouteTarget {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  /** The warning for its users, which names the release. */
  readonly deprecation?: string | undefined;
}

type Scope = 'cluster' | 'namespace' | 'resource';

export class RequestMetrics {
  readonly #metrics: Metrics;
  /** `LIST` even if its requests may watch. */
  readonly #verb: string;
  readonly #target: RouteTarget;
  #bySort: Map<string, SortOfRequest> | undefined;
  /** For the most frequent sort of request: no dry run, and no watch. */
  #plain: Partial<Record<Scope, SortOfRequest>> | undefined;
  #deprecated: Gauge | undefined;

  constructor(metrics: Metrics, verb: string, target: RouteTarget) {
    this.#metrics = metrics;
    this.#verb = verb;
    this.#target = target;
  }

  /** Records a completed request, including a long-running one. */
  answered(request: ApiRequest, response: ApiResponse, durationMs: number): void {
    this.#sortOf(request).answered(request, response, durationMs);
    const { deprecation } = this.#target;
    const release = deprecation === undefined ? undefined : removedRelease(deprecation);
    if (release === undefined) return;
    request.audit?.noteDeprecated(release);
    (this.#deprecated ??= this.#deprecatedGauge(release)).set(1);
  }

  /** Records the start (+1) or the end (-1) of a watch or another long-running request. */
  longRunning(request: ApiRequest, change: 1 | -1): void {
    this.#sortOf(request).longRunning(change);
  }

  #sortOf(request: ApiRequest): SortOfRequest {
    const { info } = request;
    const scope: Scope =
      info.name !== '' || info.verb === 'create'
        ? 'resource'
        : info.namespace === ''
          ? 'cluster'
          : 'namespace';
    if (!request.hasQuery && info.verb !== 'watch' && request.method !== 'PATCH') {
      return ((this.#plain ??= {})[scope] ??= this.#make(this.#verb, '', scope));
    }
    const verb = reportedVerb(this.#verb, request);
    const dryRun = request.hasQuery && request.incoming.query.includes('dryRun') ? dryRunOf(request) : '';
    const key = `${verb} ${dryRun} ${scope}`;
    this.#bySort ??= new Map();
    let sort = this.#bySort.get(key);
    if (sort === undefined) this.#bySort.set(key, (sort = this.#make(verb, dryRun, scope)));
    return sort;
  }

  #make(verb: string, dryRun: string, scope: Scope): SortOfRequest {
    const { group, version, resource, subresource } = this.#target;
    const labels = { component: 'apiserver', group, version, resource, subresource, scope, verb };
    return new SortOfRequest(this.#metrics, labels, dryRun);
  }

  #deprecatedGauge(removed_release: string): Gauge {
    const { group, version, resource, subresource } = this.#target;
    const labels = { group, version, resource, subresource, removed_release };
    return this.#metrics.gauge(
      'apiserver_requested_deprecated_apis',
      'Deprecated APIs that were requested, with the release in which they are removed.',
      labels,
    );
  }
}

function reportedVerb(verb: string, request: ApiRequest): string {
  if (verb === 'LIST' || verb === 'GET') return request.info.verb === 'watch' ? 'WATCH' : verb;
  if (verb !== 'PATCH') return verb;
  return request.header('content-type')?.startsWith('application/apply-patch') === true ? 'APPLY' : verb;
}

/** Only known values become labels, whatever clients send. */
const dryRunOf = ({ parameters }: ApiRequest): string => (parameters.get('dryRun') === 'All' ? 'All' : '');

type SortLabels = Readonly<Record<string, string>>;

const serverUser = 'system:apiserver';
const sizedVerbs: ReadonlySet<string> = new Set(['GET', 'LIST']);
const longVerbs: ReadonlySet<string> = new Set(['WATCH', 'CONNECT']);

/** Requests with the same labels. */
class SortOfRequest {
  readonly #metrics: Metrics;
  readonly #labels: SortLabels;
  readonly #dryRun: string;
  readonly #byCode = new Map<number, Counter>();
  readonly #duration: Histogram;
  readonly #sli: Histogram | undefined;
  readonly #size: Histogram | undefined;
  #own: Counter | undefined;
  #longRunning: Gauge | undefined;
  #longRunningCount = 0;

  constructor(metrics: Metrics, labels: SortLabels, dryRun: string) {
    this.#metrics = metrics;
    this.#labels = labels;
    this.#dryRun = dryRun;
    this.#duration = metrics.histogram(
      'apiserver_request_duration_seconds',
      'Time from the arrival of a request to its response, in seconds.',
      requestDurationBounds,
      { ...labels, dry_run: dryRun },
    );
    if (!longVerbs.has(labels['verb']!)) {
      this.#sli = metrics.histogram(
        'apiserver_request_sli_duration_seconds',
        'Response latency in seconds, without the time spent in webhooks and in priority and fairness queues.',
        requestSliBounds,
        labels,
      );
    }
    if (sizedVerbs.has(labels['verb']!)) {
      this.#size = metrics.histogram(
        'apiserver_response_sizes',
        'Size of the responses to reads, in bytes.',
        responseSizeBounds,
        labels,
      );
    }
  }

  answered(request: ApiRequest, { status, body }: ApiResponse, durationMs: number): void {
    this.#requests(status).add();
    this.#duration.observe(durationMs / 1000);
    this.#sli?.observe(durationMs / 1000);
    if (body.kind === 'bytes') this.#size?.observe(body.bytes.length);
    else if (body.kind === 'chunks') this.#size?.observe(body.bytesTotal);
    if (request.user.name === serverUser) (this.#own ??= this.#ownRequests()).add();
  }

  longRunning(change: 1 | -1): void {
    this.#longRunning ??= this.#metrics.gauge(
      'apiserver_longrunning_requests',
      'Long-running requests in progress.',
      this.#labels,
    );
    this.#longRunning.set((this.#longRunningCount += change));
  }

  #requests(code: number): Counter {
    const known = this.#byCode.get(code);
    if (known !== undefined) return known;
    const labels = { ...this.#labels, dry_run: this.#dryRun, code: String(code) };
    const counter = this.#metrics.counter(
      'apiserver_request_total',
      'Requests that received a response.',
      labels,
    );
    this.#byCode.set(code, counter);
    return counter;
  }

  #ownRequests(): Counter {
    const { verb = '', group = '', resource = '', subresource = '' } = this.#labels;
    return this.#metrics.counter('apiserver_selfrequest_total', 'Requests from this server to itself.', {
      verb,
      group,
      resource,
      subresource,
    });
  }
}

/** The release that removes the API, from the warning; empty if it names none. */
const removedRelease = (warning: string): string => /unavailable in v(\d+\.\d+)\+/.exec(warning)?.[1] ?? '';
