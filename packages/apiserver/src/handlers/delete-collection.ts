/** DELETE of all objects of a collection that match the selectors; responds with the deleted objects. */
import { invalid, invalidError } from '@coxswain/apimachinery';
import { negotiate } from '../negotiation/negotiate.ts';
import { respondList } from '../respond.ts';
import type { Handler } from './handler.ts';
import { deleteOptionsOf } from './options/delete-options.ts';
import { listOptionsOf, longSelectorsOf } from './options/list-options.ts';
import { validateDeletion } from './validate-deletion.ts';

const refusal = invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
  invalidError(
    'ignoreStoreReadErrorWithClusterBreakingPotential',
    true,
    'is not allowed with DELETECOLLECTION, try again after removing the option',
  ),
]);

export const deleteCollection: Handler = async (request, scope) => {
  const negotiated = negotiate(request, scope.negotiation);
  const listOptions = listOptionsOf(request, scope, false, await longSelectorsOf(request, scope));
  const options = await deleteOptionsOf(request, scope);
  if (options.ignoresReadErrors) throw refusal;
  const deleted = await scope.storage.deleteCollection!(
    request,
    options,
    listOptions,
    validateDeletion(request, scope, '', options),
  );
  return respondList(request, scope, negotiated, deleted);
};
