/** Proxies requests for group versions of extension servers: after the filters, before the server's own paths. */
import { here, runStep, StatusError } from '@coxswain/apimachinery';
import { APIGroup } from '@coxswain/api/meta/v1/api-group.ts';
import type { APIService } from '@coxswain/api/apiregistration/v1/index.ts';
import type { ApiGroup, ApiRequest, ApiResponse, DelegationTarget } from '@coxswain/apiserver';
import { textResponse } from '@coxswain/apiserver/http/api-response.ts';
import { groupDocument } from '@coxswain/apiserver/discovery/documents.ts';
import { respondDocument } from '@coxswain/apiserver/discovery/respond-document.ts';
import type { ServerServices } from '@coxswain/apiserver/services/services.ts';
import { isAvailable } from './availability.ts';
import type { ExtensionClient } from './extension-client.ts';
import type { RemoteGroups } from './remote-groups.ts';

export interface ExtensionPathsParts {
  readonly remote: RemoteGroups;
  readonly client: ExtensionClient;
  readonly services: ServerServices;
  readonly groups: () => readonly ApiGroup[];
  readonly own: DelegationTarget;
}

export function withExtensionPaths(parts: ExtensionPathsParts): DelegationTarget {
  const { remote, own } = parts;
  return {
    name: own.name,
    handle: (request) => (remote.remotes.size > 0 && answerOf(parts, request)) || own.handle(request),
    listedPaths: () => [...new Set([...own.listedPaths(), ...pathsOf(remote)])].sort(),
  };
}

function answerOf(
  parts: ExtensionPathsParts,
  request: ApiRequest,
): Promise<ApiResponse> | undefined | ApiResponse {
  const { remote, client } = parts;
  const { path } = request.info;
  if (path.startsWith('/openapi/v3/')) {
    const describing = remote.withDocument(path.slice('/openapi/v3/'.length));
    return describing && forwarded(client, request, describing);
  }
  const [, root, group = '', version = '', ...rest] = path.split('/');
  if (root === 'api') {
    const legacy = remote.find('', 'v1');
    return legacy && forwarded(client, request, legacy);
  }
  if (root !== 'apis' || group === '') return undefined;
  if (version === '' && rest.length === 0) return groupAnswer(parts, request, group);
  const apiService = remote.find(group, version);
  return apiService && forwarded(client, request, apiService);
}

function groupAnswer({ remote, groups, services }: ExtensionPathsParts, request: ApiRequest, name: string) {
  const group = remote.hasGroup(name) ? groups().find((one) => one.name === name) : undefined;
  return group && respondDocument(request, services, APIGroup, groupDocument(group), false);
}

function forwarded(
  client: ExtensionClient,
  request: ApiRequest,
  apiService: APIService,
): Promise<ApiResponse> {
  const { service } = apiService.spec ?? {};
  const reported = request.observer && {
    available: isAvailable(apiService),
    service: `${service?.namespace}/${service?.name}`,
    apiService: apiService.metadata?.name,
  };
  const forward = () => forwardedTo(client, request, apiService);
  return runStep(request.observer, here`server/extension`, forward, reported, client.forward);
}

async function forwardedTo(
  client: ExtensionClient,
  request: ApiRequest,
  apiService: APIService,
): Promise<ApiResponse> {
  if (!isAvailable(apiService)) return refusal(request, 503, 'service unavailable');
  try {
    return await client.forward(request, apiService);
  } catch (failure) {
    if (failure instanceof StatusError) return refusal(request, failure.code, failure.message);
    throw failure;
  }
}

/** Plain text, since a Status would look like a response of the extension server. */
function refusal(request: ApiRequest, code: number, text: string): ApiResponse {
  request.responseHeaders['x-content-type-options'] = 'nosniff';
  return textResponse(code, `${text}\n`);
}

const pathsOf = ({ remotes }: RemoteGroups): readonly string[] =>
  [...remotes.values()].flatMap(({ apiService: { spec } }) => [
    `/apis/${spec?.group ?? ''}`,
    `/apis/${spec?.group ?? ''}/${spec?.version ?? ''}`,
  ]);
