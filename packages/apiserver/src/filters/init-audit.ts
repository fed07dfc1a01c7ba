/** Gives every request an audit id, the client's `Audit-ID` if it sent one, and returns it in the response. */
import { AuditContext, type Auditing } from '../audit/audit-context.ts';
import type { Filter } from './filter.ts';

/** @param auditing absent when auditing is disabled: nothing is recorded then */
export const initAudit = (newUid: () => string, auditing?: Auditing): Filter => ({
  step: 'init-audit',
  handle(request, next) {
    const given = request.header('audit-id');
    const isOwn = given === undefined || given === '';
    request.auditId = isOwn ? newUid() : given;
    request.responseHeaders['audit-id'] = request.auditId;
    if (auditing !== undefined) request.audit = new AuditContext(auditing, request.auditId, isOwn);
    return next(request);
  },
});
