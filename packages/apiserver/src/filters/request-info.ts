/** Splits the path, once, and says whether the request is one that goes on for long. */
import { parseRequestInfo, type RequestInfo } from '../request-info.ts';
import type { Filter } from './filter.ts';

export const requestInfo: Filter = {
  step: 'request-info',
  handle(request, next) {
    const { method, path, query } = request.incoming;
    request.info = parseRequestInfo(method, path, query);
    request.longRunning = isLongRunning(request.info);
    return next(request);
  },
};

const longRunningVerbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const longRunningSubresources: ReadonlySet<string> = new Set([
  'attach',
  'exec',
  'proxy',
  'log',
  'portforward',
]);

export function isLongRunning(info: RequestInfo): boolean {
  if (!info.isResourceRequest) return info.path.startsWith('/debug/pprof/');
  return (
    longRunningVerbs.has(info.verb) ||
    (info.subresource !== '' && longRunningSubresources.has(info.subresource))
  );
}
