/** PUT: decode → default → then on the stored object: managed fields → admission → store. */
import { here, runStepInTurn, type KubeObject } from '@coxswain/apimachinery';
import type { FieldManagement } from '../field-management.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { negotiate } from '../negotiation/negotiate.ts';
import type { ResourceScope } from '../services/resource-scope.ts';
import { respondObject } from '../respond.ts';
import type { WriteOptions } from '../rest/options.ts';
import { mutated } from './admit.ts';
import { readObject } from './body/decode-body.ts';
import { noteBody } from './body/note-body.ts';
import { converted } from './converted.ts';
import type { Handler } from './handler.ts';
import { checkName, dedupOwners, namespaceFor } from './metadata-rules.ts';
import { placeInNamespace } from '../registry/place-in-namespace.ts';
import { managed } from './managed.ts';
import { writeOptionsOf } from './options/write-options.ts';
import { dropManagedFields, storedWithin } from './too-large.ts';
import { recordedChanges } from '../recorded-values/object-changes.ts';
import { updateValidation } from './update-validation.ts';

export const update: Handler = async (request, scope) => {
  const negotiated = negotiate(request, scope.negotiation);
  const options = writeOptionsOf(request, 'UpdateOptions');
  const decode = await readObject(request, scope, options.fieldValidation);
  const { observer } = request;
  const decoded = () => {
    const object = runStepInTurn(observer, here`decode`, decode);
    noteBody(request, scope, object);
    placeInNamespace(object, namespaceFor(request, scope));
    checkName(object, request.info.name);
    dedupOwners(object, request, false);
    return object;
  };
  let first: KubeObject | undefined = decoded();
  const { uid } = first.metadata;
  const { served, created } = await storedWithin((keepsManagedFields) =>
    scope.storage.update!(
      request,
      request.info.name,
      {
        ...(uid ? { preconditions: { uid } } : undefined),
        updated: (old) => {
          const object = first ?? decoded();
          first = undefined;
          if (!keepsManagedFields) dropManagedFields(object);
          const fields = keepsManagedFields ? scope.fields : undefined;
          return updatedObject(request, scope, options, fields, object, old);
        },
      },
      options,
      updateValidation(request, scope, options, false),
    ),
  );
  return respondObject(request, scope, negotiated, created ? 201 : 200, served);
};

async function updatedObject(
  request: ApiRequest,
  scope: ResourceScope,
  options: WriteOptions,
  fields: FieldManagement | undefined,
  object: KubeObject,
  stored: KubeObject | undefined,
): Promise<KubeObject> {
  const old = stored === undefined || scope.identity ? stored : converted(request, scope.fromStorage, stored);
  const owned =
    fields === undefined
      ? object
      : await runStepInTurn(request.observer, here`managed-fields`, () =>
          managed(request, fields, old, object, options),
        );
  if (old !== undefined)
    request.observer?.note?.({ diff: recordedChanges(scope.groupResource, old, object) });
  const admitted = await mutated(request, scope, {
    operation: old === undefined ? 'CREATE' : 'UPDATE',
    name: request.info.name,
    object: owned,
    oldObject: old,
    options,
    dryRun: options.dryRun,
  });
  dedupOwners(admitted, request, true);
  return scope.identity ? admitted : converted(request, scope.toStorage, admitted);
}
