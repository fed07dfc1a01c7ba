/** The stores of this server by resource, for code of one resource that needs another. */
import type { RestStorage } from '@coxswain/apiserver';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { StoredResource } from './resource.ts';

/** The capabilities of a subresource: those of the whole object's store, without unwanted ones. */
export function readAndUpdate(storage: StoredResource, isCreatedByApply = false): RestStorage {
  return {
    kind: storage.kind,
    namespaced: storage.namespaced,
    resetFields: storage.resetFields,
    strategy: storage.strategy,
    get: (request, name, options) => storage.get(request, name, options),
    update: (request, name, change, options, validation) =>
      storage.update(request, name, change, options, {
        ...validation,
        forceAllowCreate: isCreatedByApply && validation.forceAllowCreate,
      }),
  };
}

/** All capabilities of a store, as a base for overriding some. */
export const delegatingTo = (main: GenericStore) => ({
  kind: main.kind,
  namespaced: main.namespaced,
  storagePrefix: main.storagePrefix,
  resetFields: main.resetFields,
  strategy: main.strategy,
  get: (...args: Parameters<GenericStore['get']>) => main.get(...args),
  list: (...args: Parameters<GenericStore['list']>) => main.list(...args),
  watch: (...args: Parameters<GenericStore['watch']>) => main.watch(...args),
  create: (...args: Parameters<GenericStore['create']>) => main.create(...args),
  update: (...args: Parameters<GenericStore['update']>) => main.update(...args),
  deleteUnreadable: (...args: Parameters<GenericStore['deleteUnreadable']>) => main.deleteUnreadable(...args),
});
