/** Sets the deadline of a request: the client's `timeout`, at most the server's own. */
import { badRequest } from '@coxswain/apimachinery/errors.ts';
import { parseDurationMs } from '@coxswain/apimachinery/duration.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { errorResponse } from '../negotiation/error-response.ts';
import { auditRefusal } from './audit.ts';
import type { Filter } from './filter.ts';

export const requestDeadline = (timeoutMsMax: number): Filter => ({
  step: 'request-deadline',
  handle(request, next) {
    if (request.longRunning) return next(request);
    let timeoutMs = timeoutMsMax;
    const text = request.incoming.query.includes('timeout=') ? (request.parameters.get('timeout') ?? '') : '';
    if (text !== '') {
      try {
        const wantedMs = parseDurationMs(text);
        if (wantedMs > 0 && wantedMs < timeoutMsMax) timeoutMs = wantedMs;
      } catch (failure) {
        const problem = `invalid timeout specified in the request URL - ${messageOf(failure)}`;
        const refuse = () => errorResponse(request, badRequest(problem));
        return request.audit === undefined ? refuse() : auditRefusal(request, refuse);
      }
    }
    request.deadlineMs = request.incoming.deadlineMs = request.startedAtMs + timeoutMs;
    return next(request);
  },
});
