/** The stores of this server by resource, for those who reach over from one to another. */
import type {
  CollectionDeleter,
  Creater,
  Getter,
  GracefulDeleter,
  Lister,
  RestStorage,
  Strategy,
  Updater,
  Watcher,
} from '@coxswain/apiserver';
import type { AnyObject, Resource } from './resource.ts';

export type StoredResource = RestStorage &
  Getter &
  Lister &
  Watcher &
  Creater &
  Updater &
  GracefulDeleter &
  CollectionDeleter;

export interface Store {
  readonly resource: Resource;
  /** The endpoint of the whole object. */
  readonly main: StoredResource;
  /** The endpoint of `/status`; its strategy keeps everything else. */
  readonly status: StoredResource | undefined;
  /** The same objects, written by another strategy. */
  withStrategy(strategy: Strategy<AnyObject>): StoredResource;
}

export interface Stores {
  /** @throws Error for a resource that this server doesn't have: a mistake in a group's description */
  of(group: string, resource: string): Store;
}

/** The endpoints that a subresource offers: what the whole object's store has, less what isn't asked for. */
export function readAndUpdate(storage: StoredResource): RestStorage {
  return {
    kind: storage.kind,
    namespaced: storage.namespaced,
    resetFields: storage.resetFields,
    get: (request, name, options) => storage.get(request, name, options),
    update: (request, name, change, options, validation) =>
      storage.update(request, name, change, options, { ...validation, forceAllowCreate: false }),
  };
}
