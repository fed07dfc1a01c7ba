/** DELETE with `ignoreStoreReadErrorWithClusterBreakingPotential`, which requires a permission of its own. */
import { forbidden, internalError } from '@coxswain/apimachinery/errors.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { ResourceScope } from '../services/resource-scope.ts';

const verb = 'unsafe-delete-ignore-read-errors';

/** @throws StatusError 403, and 422 for an object that can be read */
export async function deleteUnsafely(request: ApiRequest, scope: ResourceScope): Promise<void> {
  const { name } = request.info;
  request.audit?.annotate('apiserver.k8s.io/unsafe-delete-ignore-read-error', '');
  if (scope.storage.deleteUnreadable === undefined)
    throw internalError(
      'no unsafe deleter provided, can not honor ignoreStoreReadErrorWithClusterBreakingPotential',
    );
  const problem = await whyNot(request, scope);
  if (problem !== undefined) throw forbidden(scope.groupResource, name, problem);
  await scope.storage.deleteUnreadable(request, name);
}

async function whyNot(
  { info, user, observer }: ApiRequest,
  scope: ResourceScope,
): Promise<string | undefined> {
  const { group, version, resource } = scope;
  if (scope.subresource !== '')
    return 'ignoreStoreReadErrorWithClusterBreakingPotential delete option is not allowed on a subresource or non-resource request';
  const { kind, reason, problem } = await scope.services.authorizer.decide({
    user,
    verb,
    namespace: info.namespace,
    group,
    version,
    resource,
    subresource: '',
    name: info.name,
    isResourceRequest: true,
    path: info.path,
    observer,
  });
  if (kind === 'allow') return undefined;
  if (problem !== undefined) return `error while checking permission for "${verb}", ${problem}`;
  return `not permitted to do "${verb}", reason: ${reason}`;
}
