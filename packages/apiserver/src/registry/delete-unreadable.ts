/** DELETE of a stored object that cannot be read, when the client accepts that this may break the cluster. */
import { here, invalid, invalidError, runStep } from '@coxswain/apimachinery';
import { StorageError } from '@coxswain/storage/storage.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { keyOf } from './keys.ts';
import { keep, type StoredResource } from './stored-resource.ts';
import { storing } from './storing.ts';

/**
 * Preconditions, finalizers, admission and subsequent hooks all need the object's content, so none of them run.
 * @throws StatusError 422 for an object that can be read
 */
export async function deleteUnreadable(
  store: StoredResource,
  request: ApiRequest,
  name: string,
): Promise<void> {
  const key = keyOf(store.keys, request.namespace, name);
  if (!(await isUnreadable(store, key))) throw refusal(store, request, name);
  await runStep(request.observer, here`storage/update`, () =>
    storing(request, () =>
      store.cache.update(
        key,
        (current) => {
          if (current === undefined) return keep;
          if (current.isReadable) throw refusal(store, request, name);
          return { kind: 'delete' };
        },
        { toleratesUnreadable: true, observer: request.observer },
      ),
    ),
  );
}

async function isUnreadable({ cache }: StoredResource, key: string): Promise<boolean> {
  try {
    const found = await cache.get(key);
    return found?.isReadable === false;
  } catch (failure) {
    if (failure instanceof StorageError && failure.kind === 'encryption') return true;
    throw failure;
  }
}

function refusal(store: StoredResource, request: ApiRequest, name: string) {
  const { group, resource } = store.resourceOf(request);
  const reason = 'is exclusively used to delete corrupt object(s), try again by removing this option';
  return invalid({ group, kind: resource }, name, [
    invalidError('ignoreStoreReadErrorWithClusterBreakingPotential', true, reason),
  ]);
}
