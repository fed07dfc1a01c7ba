/** Opens the request's audit event, and hands it to the back end when the answer is known. */
import type { AuditBackend } from '../audit/audit-event.ts';
import type { Filter } from './filter.ts';

/** Without a back end nothing is made. */
export const audit = (backend: AuditBackend | undefined): Filter => ({
  step: 'audit',
  handle(request, next) {
    if (backend === undefined) return next(request);
    const { path, query } = request.incoming;
    const event = (request.audit = {
      auditId: request.auditId,
      requestUri: query === '' ? path : `${path}?${query}`,
      verb: request.info.verb,
      receivedAtMs: request.receivedAtMs,
      user: request.user,
      impersonatedUser: undefined,
      code: 0,
      annotations: {},
    });
    const record = (code: number) => {
      event.code = code;
      backend.record(event);
    };
    const answer = next(request);
    if (!(answer instanceof Promise)) {
      record(answer.status);
      return answer;
    }
    return answer.then(
      (response) => {
        record(response.status);
        return response;
      },
      (failure: unknown) => {
        record(500);
        throw failure;
      },
    );
  },
});
