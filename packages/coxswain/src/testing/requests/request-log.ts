/** Records the requests to a test cluster, their users, and the responses. */

import type { Filter } from '@coxswain/apiserver/filters/filter.ts';
import type { ApiRequest } from '@coxswain/apiserver/http/api-request.ts';
import type { Clock } from '@coxswain/apimachinery';
import type { RecordedRequest, RequestPattern } from '../../../types/testing.d.ts';

export type { RecordedRequest, RequestPattern } from '../../../types/testing.d.ts';

/** Beyond this number, the oldest are dropped. */
const keptMax = 100_000;

const ownUser = 'system:apiserver';

export interface RequestLog {
  readonly filter: Filter;
  /** The number of pending requests, not counting watches. */
  readonly underWay: number;
  /** Grows with each request that begins or ends. */
  readonly activity: number;
  /** When a write other than a heartbeat last occurred, in milliseconds of the cluster's time. */
  readonly lastWriteMs: number;
  /** Returns the matching requests in the order in which they arrived. */
  list(pattern?: RequestPattern): readonly RecordedRequest[];
  clear(): void;
  noteFault(request: ApiRequest, what: string): void;
  /** Returns the pending requests, for diagnosing a wait that fails. */
  pending(): readonly RecordedRequest[];
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

export function requestLog(clock: Clock): RequestLog {
  let kept: Mutable<RecordedRequest>[] = [];
  const underWay = new Map<ApiRequest, Mutable<RecordedRequest>>();
  const records = new WeakMap<ApiRequest, Mutable<RecordedRequest>>();
  let count = 0;
  let pendingCount = 0;
  let activity = 0;
  let lastWriteMs = Number.NEGATIVE_INFINITY;

  const begin = (request: ApiRequest): Mutable<RecordedRequest> => {
    const record = recordOf(request, ++count, clock.now());
    records.set(request, record);
    if (kept.length >= keptMax) kept = kept.slice(keptMax / 2);
    kept.push(record);
    activity++;
    if (!request.longRunning) {
      underWay.set(request, record);
      pendingCount++;
    }
    return record;
  };
  const end = (request: ApiRequest, record: Mutable<RecordedRequest>, status: number): void => {
    activity++;
    record.status = status;
    record.user = request.user.name;
    if (underWay.delete(request)) pendingCount--;
    if (isWork(record)) lastWriteMs = clock.now();
  };

  return {
    filter: {
      step: 'record-request',
      handle(request, next) {
        const record = begin(request);
        let answer;
        try {
          answer = next(request);
        } catch (failure) {
          end(request, record, 0);
          throw failure;
        }
        if (!(answer instanceof Promise)) {
          end(request, record, answer.status);
          return answer;
        }
        return answer.then(
          (response) => {
            end(request, record, response.status);
            return response;
          },
          (failure: unknown) => {
            end(request, record, 0);
            throw failure;
          },
        );
      },
    },
    get underWay() {
      return pendingCount;
    },
    get activity() {
      return activity;
    },
    get lastWriteMs() {
      return lastWriteMs;
    },
    list: (pattern = {}) =>
      kept.filter((record) => record.user !== ownUser && matchesPattern(record, pattern)),
    clear: () => void (kept = []),
    noteFault(request, what) {
      const record = records.get(request);
      if (record !== undefined) record.fault = what;
    },
    pending: () => [...underWay.values()],
  };
}

function recordOf(request: ApiRequest, number: number, atMs: number): Mutable<RecordedRequest> {
  const { info, incoming } = request;
  return {
    number,
    atMs,
    user: incoming.peer.user?.name ?? '',
    verb: info.verb,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
    method: incoming.method,
    path: incoming.path,
    query: incoming.query,
    body: incoming.body.kind === 'object' ? incoming.body.object : undefined,
    status: 0,
  };
}

const writing = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Leases and node statuses are written continually, even by an idle cluster. */
const isWork = ({ method, status, resource, subresource }: RecordedRequest): boolean =>
  writing.has(method) &&
  status < 300 &&
  resource !== 'leases' &&
  !(resource === 'nodes' && subresource === 'status');

/** Reports whether the request matches the pattern. */
export const matchesPattern = (
  request: Pick<
    RecordedRequest,
    'user' | 'verb' | 'resource' | 'subresource' | 'group' | 'namespace' | 'name'
  >,
  { user, verb, resource, namespace, name }: RequestPattern,
): boolean =>
  isOneOf(verb, request.verb) &&
  isOneOf(namespace, request.namespace) &&
  isOneOf(name, request.name) &&
  isOneOf(user, request.user) &&
  (resource === undefined || [resource].flat().some((one) => one === '*' || isResource(one, request)));

const isOneOf = (wanted: string | readonly string[] | undefined, value: string): boolean =>
  wanted === undefined || [wanted].flat().some((one) => one === '*' || one === value);

function isResource(
  wanted: string,
  { resource, subresource, group }: Pick<RecordedRequest, 'resource' | 'subresource' | 'group'>,
): boolean {
  const [whole = '', below] = wanted.split('/');
  const dot = whole.indexOf('.');
  const name = dot < 0 ? whole : whole.slice(0, dot);
  if (name !== resource || (dot >= 0 && whole.slice(dot + 1) !== group)) return false;
  return below === '*' || (below ?? '') === subresource;
}
