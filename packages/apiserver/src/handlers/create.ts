/** POST: decode → default → managed fields → admission → store. */
import { here, runStepInTurn, type KubeObject } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import { statusKind } from '../negotiation/error-response.ts';
import { negotiate } from '../negotiation/negotiate.ts';
import type { ResourceScope } from '../services/resource-scope.ts';
import { respondObject, respondPlain } from '../respond.ts';
import type { CreateOptions } from '../rest/options.ts';
import type { Served } from '../rest/served.ts';
import { mutated, validated } from './admit.ts';
import { readObject } from './body/decode-body.ts';
import { noteBody } from './body/note-body.ts';
import { converted } from './converted.ts';
import type { Handler } from './handler.ts';
import { dedupOwners, namespaceFor, wipeSystemFields } from './metadata-rules.ts';
import { fromStorage } from './own-storage.ts';
import { placeInNamespace } from '../registry/place-in-namespace.ts';
import { managed } from './managed.ts';
import { writeOptionsOf } from './options/write-options.ts';
import { dropManagedFields, storedWithin } from './too-large.ts';

export const create: Handler = async (request, scope) => {
  const negotiated = negotiate(request, scope.negotiation);
  const options = writeOptionsOf(request, 'CreateOptions');
  const decode = await readObject(request, scope, options.fieldValidation);
  const object = runStepInTurn(request.observer, here`decode`, decode);
  noteBody(request, scope, object);
  if (scope.subresource === '' || scope.storage.namedCreate !== true) wipeSystemFields(object);
  placeInNamespace(object, namespaceFor(request, scope));
  dedupOwners(object, request, false);
  const served = await store(request, scope, object, options);
  const status = served.object as KubeObject & { code?: number };
  if (status.kind !== 'Status') return respondObject(request, scope, negotiated, createdCode, served);
  // Some creates, such as evictions, return only a Status of success.
  const code = status.code ?? createdCode;
  return respondPlain(request, scope, negotiated, code, statusKind, { ...status, code } as KubeObject);
};

async function store(
  request: ApiRequest,
  scope: ResourceScope,
  object: KubeObject,
  options: CreateOptions,
): Promise<Served> {
  const { fields } = scope;
  const name = request.info.name || (object.metadata.name ?? '');
  const owned =
    fields === undefined
      ? object
      : await runStepInTurn(request.observer, here`managed-fields`, () =>
          managed(request, fields, undefined, object, options),
        );
  const write = { operation: 'CREATE', name, oldObject: undefined, options, dryRun: options.dryRun } as const;
  const admitted = await mutated(request, scope, { ...write, object: owned });
  dedupOwners(admitted, request, true);
  const validate = (stored: KubeObject) => {
    if (!scope.services.admission.handles('CREATE')) return;
    const final = scope.identity ? stored : scope.fromStorage(stored);
    return validated(request, scope, {
      ...write,
      name: name || (stored.metadata.name ?? ''),
      object: final,
    });
  };
  return storedWithin((keepsManagedFields) => {
    if (!keepsManagedFields) dropManagedFields(admitted);
    const object = scope.identity ? admitted : converted(request, scope.toStorage, admitted);
    const { storage } = scope;
    const create = () => storage.create!(request, object, options, validate, request.info.name);
    return fromStorage(request, scope, here`rest/create`, storage.create, create);
  });
}

const createdCode = 201;
