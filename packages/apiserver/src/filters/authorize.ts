/** Lets through who may do what is asked; everybody else gets a 403 that says what was missing. */
import type { AuthorizationAttributes, Authorizer, Decision } from '../authorization/authorizer.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { forbiddenError, withoutMarkup } from '../authorization/forbidden.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { utf8 } from '../http/api-response.ts';
import type { ApiResponse } from '../http/api-response.ts';
import { errorResponse } from '../negotiation/error-response.ts';
import type { Answer, Filter, Next } from './filter.ts';

export const authorize = (authorizer: Authorizer): Filter => ({
  step: 'authorize',
  handle(request, next) {
    const attributes = attributesOf(request);
    const decision = authorizer.decide(attributes);
    return decision instanceof Promise
      ? decision.then((later) => proceed(request, next, attributes, later))
      : proceed(request, next, attributes, decision);
  },
});

function proceed(
  request: ApiRequest,
  next: Next,
  attributes: AuthorizationAttributes,
  decision: Decision,
): Answer {
  if (request.audit !== undefined) {
    const { annotations } = request.audit;
    const isUndecided = decision.kind !== 'allow' && decision.problem !== undefined;
    if (!isUndecided) {
      annotations['authorization.k8s.io/decision'] = decision.kind === 'allow' ? 'allow' : 'forbid';
    }
    annotations['authorization.k8s.io/reason'] = isUndecided ? 'internal error' : decision.reason;
  }
  if (decision.kind === 'allow') return next(request);
  if (decision.problem !== undefined) return undecided(request, decision.problem);
  request.responseHeaders['x-content-type-options'] = 'nosniff';
  return errorResponse(request, forbiddenError(attributes, decision.reason));
}

/** Plain text, since nobody knows whether the client may have a Status. */
function undecided(request: ApiRequest, problem: string): ApiResponse {
  const { path, query } = request.incoming;
  const uri = goQuote(query === '' ? path : `${path}?${query}`);
  request.responseHeaders['x-content-type-options'] = 'nosniff';
  request.responseHeaders['content-type'] = 'text/plain; charset=utf-8';
  const text = withoutMarkup(`Internal Server Error: ${uri}: ${problem}`);
  return {
    status: 500,
    headers: request.responseHeaders,
    body: { kind: 'bytes', bytes: utf8(`${text}\n`) },
  };
}

const selectorVerbs: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);

export function attributesOf(request: ApiRequest): AuthorizationAttributes {
  const { info, user } = request;
  const withSelectors = selectorVerbs.has(info.verb) && request.incoming.query.includes('Selector=');
  return {
    user,
    verb: info.verb,
    namespace: info.namespace,
    group: info.group,
    version: info.version,
    resource: info.resource,
    subresource: info.subresource,
    name: info.name,
    isResourceRequest: info.isResourceRequest,
    path: info.path,
    ...(withSelectors
      ? {
          fieldSelector: request.parameters.get('fieldSelector') ?? '',
          labelSelector: request.parameters.get('labelSelector') ?? '',
        }
      : undefined),
  };
}
