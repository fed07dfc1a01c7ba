/** Validating admission of an update, or of the create that an update or apply turns into. */
import type { KubeObject } from '@coxswain/apimachinery';
import { forbiddenError } from '../authorization/forbidden.ts';
import type { AuthorizationAttributes } from '../authorization/authorizer.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { ResourceScope } from '../services/resource-scope.ts';
import type { WriteOptions } from '../rest/options.ts';
import type { UpdateValidation } from '../rest/storage.ts';
import { validated } from './admit.ts';

export function updateValidation(
  request: ApiRequest,
  scope: ResourceScope,
  options: WriteOptions,
  forceAllowCreate: boolean,
): UpdateValidation {
  const write = { name: request.info.name, options, dryRun: options.dryRun };
  const inVersion = (object: KubeObject) => (scope.identity ? object : scope.fromStorage(object));
  return {
    forceAllowCreate,
    async create(object) {
      await authorizeCreate(request, scope);
      if (!scope.services.admission.handles('CREATE')) return;
      await validated(request, scope, {
        ...write,
        operation: 'CREATE',
        object: inVersion(object),
        oldObject: undefined,
      });
    },
    update(object, old) {
      if (!scope.services.admission.handles('UPDATE')) return;
      return validated(request, scope, {
        ...write,
        operation: 'UPDATE',
        object: inVersion(object),
        oldObject: inVersion(old),
      });
    },
  };
}

/** Permission to update does not imply permission to create. @throws StatusError 403 */
async function authorizeCreate(request: ApiRequest, scope: ResourceScope): Promise<void> {
  const { info, user, observer } = request;
  const attributes: AuthorizationAttributes = {
    user,
    verb: 'create',
    namespace: info.namespace,
    group: scope.group,
    version: scope.version,
    resource: scope.resource,
    subresource: scope.subresource,
    name: info.name,
    isResourceRequest: true,
    path: info.path,
    observer,
  };
  const decision = await scope.services.authorizer.decide(attributes);
  if (decision.kind !== 'allow') throw forbiddenError(attributes, decision.reason);
}
