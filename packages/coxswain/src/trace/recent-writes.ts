/** The latest writes with their users and revisions: what managedFields do not say about a change. */

import type { Clock } from '@coxswain/apimachinery';
import type { Next } from '@coxswain/apiserver';
import type { ApiRequest } from '@coxswain/apiserver/http/api-request.ts';
import { jsonResponse, type Answer, type ApiResponse } from '@coxswain/apiserver/http/api-response.ts';

export const writesPath = '/debug/coxswain/writes';

/** The oldest are dropped; a cluster at rest makes none. */
const keptMax = 10_000;

interface RecentWrite {
  /** The order of arrival. */
  readonly number: number;
  readonly atMs: number;
  readonly user: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Absent if nothing was stored. */
  readonly revision?: number;
}

const writing = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Written continually, by components. */
const heartbeats = new Set(['leases', 'events', 'nodes/status', 'endpointslices', 'tokenreviews']);

const isKept = ({ method, info }: ApiRequest): boolean =>
  writing.has(method) &&
  info.isResourceRequest &&
  !heartbeats.has(info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`);

export class RecentWrites {
  readonly #clock: Clock;
  readonly #kept: RecentWrite[] = [];
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  handle(request: ApiRequest, next: Next): Answer {
    if (!isKept(request)) return next(request);
    const atMs = this.#clock.now();
    const note = (response: ApiResponse): ApiResponse => {
      this.#note(request, atMs, response.status);
      return response;
    };
    const answer = next(request);
    return answer instanceof Promise ? answer.then(note) : note(answer);
  }

  #note({ user, info, method, incoming, answered }: ApiRequest, atMs: number, status: number): void {
    const metadata = status < 300 ? answered?.object.metadata : undefined;
    const revision = Number(metadata?.resourceVersion ?? 0);
    this.#kept[this.#count % keptMax] = {
      number: ++this.#count,
      atMs,
      user: user.name,
      group: info.group,
      resource: info.resource,
      namespace: info.namespace,
      name: info.name || (metadata?.name ?? ''),
      method,
      path: incoming.path,
      status,
      ...(revision > 0 && { revision }),
    };
  }

  /** Answers with the writes of the object that the query names, in the order of their arrival. */
  readonly answer = ({ parameters }: ApiRequest): ApiResponse => {
    const [resource, name, namespace] = ['resource', 'name', 'namespace'].map(
      (member) => parameters.get(member) ?? '',
    );
    const items = this.#kept
      .filter((one) => one.resource === resource && one.name === name && one.namespace === namespace)
      .toSorted((one, other) => one.number - other.number);
    return jsonResponse(200, { items });
  };
}
