/** DELETE of one object. */
import type { KubeObject } from '@coxswain/apimachinery';
import { negotiate } from '../negotiation/negotiate.ts';
import { statusKind } from '../negotiation/error-response.ts';
import { respondObject, respondPlain } from '../respond.ts';
import { validateDeletion } from './validate-deletion.ts';
import type { Handler } from './handler.ts';
import { deleteOptionsOf } from './options/delete-options.ts';

export const remove: Handler = async (request, scope) => {
  const negotiated = negotiate(request, scope.negotiation);
  const options = await deleteOptionsOf(request);
  const { name } = request.info;
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

/** Only for who asked for dependents to go too in the old way: other clients know nothing but 200. */
const acceptedCode = 202;
