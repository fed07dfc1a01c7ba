/** Parses the path once, and determines whether the request is long-running. */
import type { StepDetail } from '@coxswain/apimachinery';
import { internalErrorText } from '../negotiation/internal-error.ts';
import { parseRequestInfo, type RequestInfo } from '../request-info.ts';
import type { Filter } from './filter.ts';

export const requestInfo: Filter = {
  step: 'request-info',
  handle(request, next) {
    const { method, path, query } = request.incoming;
    request.info = parseRequestInfo(method, path, query);
    if (saysNothingToWatch(request.info)) {
      const url = query === '' ? path : `${path}?${query}`;
      return internalErrorText(
        request,
        `failed to create RequestInfo: unable to determine kind and namespace from url, ${url}`,
      );
    }
    request.observer?.note?.(recordedInfo(request.info));
    request.longRunning = isLongRunning(request.info);
    return next(request);
  },
};

function recordedInfo(info: RequestInfo): StepDetail {
  const { isResourceRequest, path, verb, apiPrefix, group, version, namespace, name, deprecatedWatch } = info;
  if (!isResourceRequest) return { isResourceRequest, verb, path };
  const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  return {
    isResourceRequest,
    path,
    verb,
    apiPrefix,
    group,
    version,
    namespace,
    resource,
    name,
    deprecatedWatch,
  };
}

/** `/api/v1/watch` with nothing after it. */
const saysNothingToWatch = ({ isResourceRequest, parts: [resource, ...rest] }: RequestInfo): boolean =>
  isResourceRequest && (resource === 'watch' || resource === 'proxy') && rest.length === 0;

const longRunningPaths: readonly string[] = ['/debug/pprof/', '/debug/coxswain/'];
const longRunningVerbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const longRunningSubresources: ReadonlySet<string> = new Set([
  'attach',
  'exec',
  'proxy',
  'log',
  'portforward',
]);

function isLongRunning(info: RequestInfo): boolean {
  if (!info.isResourceRequest) return longRunningPaths.some((path) => info.path.startsWith(path));
  return (
    longRunningVerbs.has(info.verb) ||
    (info.subresource !== '' && longRunningSubresources.has(info.subresource))
  );
}
