/** DELETE of one object. */
import type { KubeObject } from '@coxswain/apimachinery';
import { negotiate } from '../negotiation/negotiate.ts';
import { statusKind } from '../negotiation/error-response.ts';
import { respondObject, respondPlain } from '../respond.ts';
import { validateDeletion } from './validate-deletion.ts';
import { deleteUnsafely } from './delete-unsafely.ts';
import type { Handler } from './handler.ts';
import { deleteOptionsOf } from './options/delete-options.ts';

export const remove: Handler = async (request, scope) => {
  const negotiated = negotiate(request, scope.negotiation);
  const options = await deleteOptionsOf(request, scope);
  const { name } = request.info;
  if (options.ignoresReadErrors) {
    await deleteUnsafely(request, scope);
    const object = { ...deletedUnread, details: { name, kind: scope.kind.kind } };
    return respondPlain(request, scope, negotiated, 200, statusKind, object as unknown as KubeObject);
  }
  const { served, immediate, status } = await scope.storage.delete!(
    request,
    name,
    options,
    validateDeletion(request, scope, name, options),
  );
  const code = !immediate && options.orphanDependents === false ? acceptedCode : 200;
  if (status) {
    return respondPlain(request, scope, negotiated, code, statusKind, served.object as KubeObject);
  }
  return respondObject(request, scope, negotiated, code, served);
};

/** Only the object's name is known. */
const deletedUnread = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 200 };

/** Only for clients that use the legacy option to delete dependents: others expect 200. */
const acceptedCode = 202;
