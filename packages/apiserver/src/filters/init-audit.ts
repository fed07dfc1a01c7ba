/** Gives every request an audit id: the client's `Audit-ID` where it sent one, and sends it back. */
import type { Filter } from './filter.ts';

/** Longer ids of clients are cut. */
const auditIdLengthMax = 64;

export const initAudit = (newUid: () => string): Filter => ({
  step: 'init-audit',
  handle(request, next) {
    const given = request.header('audit-id');
    request.auditId = given === undefined || given === '' ? newUid() : given.slice(0, auditIdLengthMax);
    request.responseHeaders['audit-id'] = request.auditId;
    return next(request);
  },
});
