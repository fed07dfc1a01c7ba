/** Converts recorded requests to an audit log, for tools that read one: `coxswain rbac minimal --from-audit`. */

import type { RecordedRequest } from './request-log.ts';

/** Returns one audit.k8s.io/v1 Event of level Metadata per line. */
export const auditLog = (requests: readonly RecordedRequest[]): string =>
  requests.map((request) => `${JSON.stringify(auditEvent(request))}\n`).join('');

function auditEvent(request: RecordedRequest): object {
  const { number, atMs, user, verb, method, path, query, resource, status } = request;
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: `request-${number}`,
    // Watches are recorded while they are still running.
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
