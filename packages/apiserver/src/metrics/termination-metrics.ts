/** Requests that the server aborted or rejected to protect itself. */
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { ApiRequest } from '../http/api-request.ts';

/** Records one such request. @param code 429 or 504 */
export type NoteTermination = (request: ApiRequest, code: number) => void;

export const terminationCounter =
  (metrics: Metrics): NoteTermination =>
  (request, code) => {
    const { info } = request;
    const labels = {
      component: 'apiserver',
      code: String(code),
      verb: verbOf(request),
      scope: scopeOf(request),
      group: info.group,
      version: info.isResourceRequest ? info.version : '',
      resource: info.resource,
      subresource: info.isResourceRequest ? info.subresource : info.path,
    };
    const help = 'Requests that the server ended early to protect itself.';
    metrics.counter('apiserver_request_terminations_total', help, labels).add();
  };

const verbOf = ({ method, info }: ApiRequest): string =>
  info.isResourceRequest && method === 'GET' ? info.verb.toUpperCase() : method;

function scopeOf({ info }: ApiRequest): string {
  if (!info.isResourceRequest) return '';
  if (info.name !== '' || info.verb === 'create') return 'resource';
  return info.namespace === '' ? 'cluster' : 'namespace';
}
