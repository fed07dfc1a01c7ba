/** The server's requests to its own stores, without filters. */
import type { Clock, StepObserver } from '@coxswain/apimachinery';
import { ApiRequest, noBody, type UserInfo } from '@coxswain/apiserver';

export const systemUser: UserInfo = {
  name: 'system:apiserver',
  groups: ['system:masters', 'system:authenticated'],
};

export interface SystemTarget {
  readonly group: string;
  readonly version?: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly verb?: string;
}

export function systemRequest(clock: Clock, target: SystemTarget, observer?: StepObserver): ApiRequest {
  const request = new ApiRequest({
    method: '',
    path: '',
    query: '',
    headers: {},
    body: noBody,
    peer: { address: '', tls: false, protocol: 'in-process', user: systemUser },
    structured: true,
    signal: () => new AbortController().signal,
  });
  request.user = systemUser;
  request.observer = observer;
  request.receivedAtMs = clock.now();
  request.info = {
    ...request.info,
    isResourceRequest: true,
    verb: target.verb ?? 'update',
    group: target.group,
    version: target.version ?? 'v1',
    resource: target.resource,
    namespace: target.namespace ?? '',
  };
  return request;
}
