/** PATCH: applies the patch to the stored object, and again whenever another write came in between. */
import { unsupportedMediaType } from '@coxswain/apimachinery/errors.ts';
import { here, conflict, runStepInTurn, type KubeObject } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import { bodyOf } from '../http/body-of.ts';
import { readBody } from '../http/request-body.ts';
import { negotiate } from '../negotiation/negotiate.ts';
import type { ResourceScope } from '../services/resource-scope.ts';
import { respondObject } from '../respond.ts';
import { unsupportedByRouter } from '../negotiation/refusals.ts';
import type { PatchOptions } from '../rest/options.ts';
import type { Awaitable } from '../rest/storage.ts';
import { mutated } from './admit.ts';
import { turnFor } from './body/decode-body.ts';
import { converted } from './converted.ts';
import type { Handler } from './handler.ts';
import { checkName, dedupOwners, namespaceFor } from './metadata-rules.ts';
import { placeInNamespace } from '../registry/place-in-namespace.ts';
import { patchOptionsOf } from './options/write-options.ts';
import { applyPatch } from './patch/apply.ts';
import { jsonPatch } from './patch/json-patch.ts';
import type { PatchMechanism } from './patch/mechanism.ts';
import { mergePatch } from './patch/merge-patch.ts';
import { strategicPatch } from './patch/strategic-patch.ts';
import { recordedChanges } from '../recorded-values/object-changes.ts';
import { recordedPatch } from '../recorded-values/recorded-object.ts';
import { dropManagedFields, storedWithin } from './too-large.ts';
import { updateValidation } from './update-validation.ts';

/** In the order in which error messages list them. */
const mechanisms: Readonly<Record<string, PatchMechanism>> = {
  'application/json-patch+json': jsonPatch,
  'application/merge-patch+json': mergePatch,
  'application/strategic-merge-patch+json': strategicPatch,
  'application/apply-patch+yaml': applyPatch,
};

export const patch: Handler = async (request, scope) => {
  const mechanism = mechanismOf(request, scope);
  const negotiated = negotiate(request, scope.negotiation);
  const { body } = request.incoming;
  const bytes = body.kind === 'object' ? undefined : await bodyOf(request);
  if (bytes !== undefined) await turnFor(request, scope, bytes);
  const options = patchOptionsOf(request, mechanism === applyPatch);
  if (request.audit !== undefined) request.audit.notePatch(bytes ?? (await readBody(body)));
  const apply = mechanism.prepare({
    request,
    scope,
    options,
    bytes,
    object: body.kind === 'object' ? body.object : undefined,
  });
  const reported = () => recordedPatch(scope.groupResource, body.kind === 'object' ? body.object : bytes);
  const isApply = mechanism === applyPatch;
  const store = (keepsManagedFields: boolean) =>
    scope.storage.update!(
      request,
      request.info.name,
      {
        async updated(stored) {
          const object = await patchedObject(request, scope, options, apply, stored, mechanism, reported);
          if (!keepsManagedFields) dropManagedFields(object);
          return object;
        },
      },
      options,
      updateValidation(request, scope, options, isApply),
    );
  // An apply must not lose its managedFields.
  const { served, created } = await (isApply ? store(true) : storedWithin(store));
  return respondObject(request, scope, negotiated, created ? 201 : 200, served);
};

/** @throws StatusError 415 */
function mechanismOf(request: ApiRequest, scope: ResourceScope): PatchMechanism {
  const header = request.header('content-type') ?? '';
  const contentType = header.split(';')[0]!.trim();
  const mechanism = mechanisms[contentType];
  if (mechanism === undefined && scope.negotiation.isRouted !== false && !scope.isCustom)
    throw unsupportedByRouter();
  const supported = Object.keys(mechanisms).filter((type) => mechanisms[type]!.isFor(scope));
  if (mechanism === undefined || !supported.includes(contentType)) throw unsupportedMediaType(supported);
  return mechanism;
}

async function patchedObject(
  request: ApiRequest,
  scope: ResourceScope,
  options: PatchOptions,
  apply: (live: KubeObject | undefined) => Awaitable<KubeObject>,
  stored: KubeObject | undefined,
  mechanism: PatchMechanism,
  patch: () => unknown,
): Promise<KubeObject> {
  const old = stored === undefined || scope.identity ? stored : converted(request, scope.fromStorage, stored);
  const patched = await runStepInTurn(
    request.observer,
    here`patch`,
    async () => {
      const { observer } = request;
      observer?.note?.({ type: request.header('content-type'), patch: patch() });
      const made = await apply(old);
      observer?.note?.({ diff: recordedChanges(scope.groupResource, old, made) });
      return made;
    },
    undefined,
    mechanism.prepare,
  );
  const { name } = request.info;
  if (old === undefined && patched.metadata.uid) {
    throw conflict(
      scope.groupResource,
      name,
      `uid mismatch: the provided object specified uid ${patched.metadata.uid}, and no existing object was found`,
    );
  }
  placeInNamespace(patched, namespaceFor(request, scope));
  checkName(patched, name);
  const admitted = await mutated(request, scope, {
    operation: old === undefined ? 'CREATE' : 'UPDATE',
    name,
    object: patched,
    oldObject: old,
    options,
    dryRun: options.dryRun,
  });
  dedupOwners(admitted, request, true);
  return scope.identity ? admitted : converted(request, scope.toStorage, admitted);
}
