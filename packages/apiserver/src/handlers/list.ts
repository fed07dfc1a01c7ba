import { here, runStep } from '@coxswain/apimachinery';
import { nextSlice } from '@coxswain/apimachinery/slices.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';
import { negotiate, type Negotiated } from '../negotiation/negotiate.ts';
import type { ListOptions } from '../rest/options.ts';
import type { ServedList } from '../rest/served.ts';
import type { ResourceScope } from '../services/resource-scope.ts';
import { failureOfList } from '../registry/unreadable-objects.ts';
import { respondList } from '../respond.ts';
import type { Handler } from './handler.ts';
import { listOptionsOf, longSelectorsOf } from './options/list-options.ts';
import { fromStorage } from './own-storage.ts';
import { serveWatch } from './watch.ts';
import { timed } from '../audit/request-latencies.ts';

/** GET of a collection: lists its objects, or with `watch` streams their changes. */
export const list: Handler = (request, scope) => {
  const selectors = longSelectorsOf(request, scope);
  if (selectors === undefined) return listed(request, scope);
  return selectors.then((parsed) => listed(request, scope, parsed));
};

function listed(
  request: ApiRequest,
  scope: ResourceScope,
  selectors?: Pick<ListOptions, 'labelSelector' | 'fieldSelector'>,
): ApiResponse | Promise<ApiResponse> {
  const options = listOptionsOf(request, scope, request.info.deprecatedWatch, selectors);
  if (options.watch) {
    const { resourceVersion, sendInitialEvents } = options;
    const reported = { resourceVersion, sendInitialEvents };
    const watching = () => serveWatch(request, scope, options);
    return runStep(request.observer, here`watch`, watching, reported, serveWatch);
  }
  const negotiated = negotiate(request, scope.negotiation);
  const answer = () => answered(request, scope, negotiated, options);
  return isLong(request, scope, options)
    ? nextSlice(scope.services.clock, request.owner).then(answer)
    : answer();
}

/** Lists of fewer objects are answered at once; longer ones wait for their slice. */
const itemsInPassing = 500;

const isLong = (request: ApiRequest, { storage }: ResourceScope, { limit }: ListOptions): boolean =>
  (storage.objectCount ?? 0) > itemsInPassing &&
  (limit === 0 || limit > itemsInPassing) &&
  !request.isUrgent &&
  !request.incoming.structured;

function answered(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
  options: ListOptions,
): ApiResponse | Promise<ApiResponse> {
  const { storage } = scope;
  const found = fromStorage(request, scope, here`rest/list`, storage.list, () =>
    storage.list!(request, options),
  );
  const answer = (list: ServedList) => responded(request, scope, negotiated, list);
  return found instanceof Promise ? found.then(answer) : answer(found);
}

/** Records which part of a slow list took how long. */
function responded(
  request: ApiRequest,
  scope: ResourceScope,
  negotiated: Negotiated,
  listed: ServedList,
): ApiResponse | Promise<ApiResponse> {
  const part = negotiated.transform === undefined ? 'serialize-response-object' : 'transform-response-object';
  const fail = (failure: unknown): never => {
    throw failureOfList(failure, listed.items, scope.groupResource);
  };
  return timed(request.audit, part, () => {
    try {
      const response = respondList(request, scope, negotiated, listed);
      return response instanceof Promise ? response.catch(fail) : response;
    } catch (failure) {
      return fail(failure);
    }
  });
}
