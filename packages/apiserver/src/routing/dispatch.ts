/** Dispatches an authorized request: to the API's routes first, then to non-resource paths, then to the next server. */
import { here, runStepInTurn, stepIfFailed, type StatusError, type Work } from '@coxswain/apimachinery';
import type { Answer, ApiResponse } from '../http/api-response.ts';
import type { Next } from '../filters/filter.ts';
import { statusOf } from '../handlers/failure.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { isOpenEnded, whenOver } from '../http/ending-response.ts';
import { contentTypesOf } from '../negotiation/media-type.ts';
import { errorResponse, statusResponse } from '../negotiation/error-response.ts';
import { checkRouterAccept, plainScope, type NegotiationScope } from '../negotiation/negotiate.ts';
import type { ServerServices } from '../services/services.ts';
import { findRoute } from './find-route.ts';
import type { RequestInfo } from '../request-info.ts';
import type { PlainRoutes } from './plain-routes.ts';
import { notFoundByRouter } from '../negotiation/refusals.ts';
import type { ResourceRoutes, RouteTable, VerbRoute } from './resource-routes.ts';

export interface DispatchParts {
  readonly table: RouteTable;
  readonly plain: PlainRoutes;
  readonly services: ServerServices;
  /** Whether the server has a group at all; unknown paths below such a group are refused here. */
  readonly hasGroup: (name: string) => boolean;
  readonly delegate: Next;
}

export const dispatcher = ({ table, plain, services, hasGroup, delegate }: DispatchParts): Next =>
  function dispatch(request) {
    const { info } = request;
    if (isMisplaced(info)) return delegate(request);
    if (info.isResourceRequest) {
      const found = findRoute(table, info, request.method);
      if (found.kind === 'route') return serveRoute(request, found.routes, found.route, services);
      if (found.kind === 'refused') return refused(request, found.error, findRoute);
      // Nothing but resources is served below a group.
      return hasGroup(info.group) ? refused(request, notFoundByRouter(), hasGroup) : delegate(request);
    }
    const handler = plain.find(info.path);
    if (handler !== undefined)
      return answered(request, plainScope, () =>
        runStepInTurn(request.observer, here`handler/path`, () => handler(request), undefined, handler),
      );
    if (isBelow(info, hasGroup) || (info.apiPrefix === '' && plain.isBelowRouted(info.path)))
      return refused(request, notFoundByRouter(), isBelow);
    return delegate(request);
  };

/** @param why the function that found no handler */
const refused = (request: ApiRequest, error: StatusError, why: Work): ApiResponse =>
  runStepInTurn(
    request.observer,
    here`refuse`,
    () => errorResponse(request, error),
    { code: error.status.code, message: error.message },
    why,
  );

/**
 * Paths that authorization takes for a resource but that have no route: `//api/v1/pods`, `/apis//apps/v1/deployments`.
 */
const isMisplaced = ({ isResourceRequest, path, apiPrefix, group }: RequestInfo): boolean =>
  isResourceRequest && (path.startsWith('//') || (apiPrefix === 'apis' && group === ''));

/** Whether the path lies below a group of this server. */
function isBelow({ path }: RequestInfo, hasGroup: (name: string) => boolean): boolean {
  if (path.startsWith('/api/')) return hasGroup('');
  if (!path.startsWith('/apis/')) return false;
  const [, , group = '', ...rest] = path.split('/');
  return rest.length > 0 && group !== '' && hasGroup(group);
}

/** The media types of routes, as the router lists them in its refusals. */
const produced = contentTypesOf(plainScope.types);
const streamable = [
  ...produced,
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
];

const producedByLogs = ['text/plain', ...produced];

function producedBy(
  { subresource, storage }: ResourceRoutes['scope'],
  { step }: VerbRoute,
): readonly string[] {
  if (storage.stream !== undefined) return producedByLogs;
  return subresource === '' && step === 'list' ? streamable : produced;
}

function serveRoute(
  request: ApiRequest,
  { scope }: ResourceRoutes,
  route: VerbRoute,
  services: ServerServices,
): Answer {
  const answerHere = (): Answer =>
    request.observer === undefined
      ? route.handler(request, scope)
      : runStepInTurn(
          request.observer,
          `handler/${route.step}`,
          () => route.handler(request, scope),
          undefined,
          route.handler,
        );
  const serve = (): Answer => {
    const { negotiation } = scope;
    if (
      request.headers['accept'] !== undefined &&
      negotiation.isRouted !== false &&
      route.step !== 'connect'
    ) {
      stepIfFailed(request.observer, here`negotiate`, checkRouterAccept, () =>
        checkRouterAccept(request, producedBy(scope, route)),
      );
    }
    if (scope.deprecation !== undefined) request.warn(scope.deprecation);
    services.turns?.note(route.label);
    return services.serveSomewhere === undefined
      ? answerHere()
      : services.serveSomewhere(request, scope, route.step, answerHere);
  };
  // A Status can be encoded in every media type, even if the resource cannot.
  const answer = answered(request, plainScope, serve);
  return answer instanceof Promise
    ? answer.then((response) => counted(request, route, services, response))
    : counted(request, route, services, answer);
}

function counted(
  request: ApiRequest,
  { metrics }: VerbRoute,
  { clock }: ServerServices,
  response: ApiResponse,
): ApiResponse {
  if (!isOpenEnded(response)) {
    request.answeredAtMs = clock.monotonic();
    metrics.answered(request, response, request.answeredAtMs - request.startedAtMs);
    return response;
  }
  metrics.longRunning(request, 1);
  return whenOver(response, () => {
    metrics.longRunning(request, -1);
    metrics.answered(request, response, clock.monotonic() - request.startedAtMs);
  });
}

/** Turns an exception of a handler into a response. */
function answered(request: ApiRequest, scope: NegotiationScope, serve: () => Answer): Answer {
  const failed = (failure: unknown): ApiResponse => statusResponse(request, statusOf(failure), scope);
  try {
    const answer = serve();
    return answer instanceof Promise ? answer.catch(failed) : answer;
  } catch (failure) {
    return failed(failure);
  }
}
