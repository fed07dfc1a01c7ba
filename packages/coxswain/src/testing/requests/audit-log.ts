/** Recorded requests in the form of an audit log, for what reads those: `coxswain rbac minimal --from-audit`. */

import type { RecordedRequest } from './request-log.ts';

/** One audit.k8s.io/v1 Event of the level Metadata a line. */
export const auditLog = (requests: readonly RecordedRequest[]): string =>
  requests.map((request) => `${JSON.stringify(auditEvent(request))}\n`).join('');

function auditEvent(request: RecordedRequest): object {
  const { number, atMs, user, verb, method, path, query, resource, status } = request;
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: `request-${number}`,
    // Watches last, and are recorded while they do.
    stage: status === 0 ? 'ResponseStarted' : 'ResponseComplete',
    requestURI: query === '' ? path : `${path}?${query}`,
    verb: verb === '' ? method.toLowerCase() : verb,
    user: { username: user },
    ...(resource === '' ? {} : { objectRef: objectRef(request) }),
    ...(status === 0 ? {} : { responseStatus: { code: status } }),
    requestReceivedTimestamp: new Date(atMs).toISOString(),
  };
}

function objectRef({ resource, subresource, namespace, name, group, version }: RecordedRequest): object {
  const all = { resource, namespace, name, apiGroup: group, apiVersion: version, subresource };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}
