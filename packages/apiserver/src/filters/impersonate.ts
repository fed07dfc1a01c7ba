/** Impersonation: lets one user act as another, if authorized. */
import { StatusError } from '@coxswain/apimachinery';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';
import { errorResponse } from '../negotiation/error-response.ts';
import { attributesOf } from './authorize.ts';
import type { Filter, Next } from './filter.ts';
import { impersonatedUser, newModeMemory, type ModeMemory } from './impersonation/impersonated-user.ts';
import { wantedUser } from './impersonation/wanted-user.ts';
import { timed } from '../audit/request-latencies.ts';

/** @param isConstrained whether the constrained modes are enabled in addition to legacy impersonation */
export const impersonate = (authorizer: Authorizer, isConstrained: boolean): Filter => {
  const memory = newModeMemory(isConstrained);
  return {
    step: 'impersonate',
    handle(request, next) {
      for (const name in request.headers) {
        if (name.charCodeAt(0) === firstLetter && name.startsWith('impersonate-'))
          return asOther(request, next, authorizer, memory);
      }
      return next(request);
    },
  };
};

/** `i`, checked first: calling `startsWith` for each header costs more than the rest of this filter. */
const firstLetter = 105;

async function asOther(
  request: ApiRequest,
  next: Next,
  authorizer: Authorizer,
  memory: ModeMemory,
): Promise<ApiResponse> {
  try {
    const wanted = wantedUser(request);
    if (wanted !== undefined) {
      const ask = () => impersonatedUser(wanted, attributesOf(request), authorizer, memory);
      const { user, constraint } = await timed(request.audit, 'impersonation', ask);
      request.impersonator = request.user;
      request.user = user;
      request.observer?.note?.({ impersonated: user.name, groups: user.groups });
      request.audit?.noteImpersonation(user, constraint);
    }
  } catch (failure) {
    if (!(failure instanceof StatusError)) throw failure;
    request.responseHeaders['x-content-type-options'] = 'nosniff';
    return errorResponse(request, failure);
  }
  return next(request);
}
