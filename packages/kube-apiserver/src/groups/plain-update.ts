/** Updates an object without strategies, for the server's own changes (binding, disruption, quota). */
import { conflict, type KubeObject } from '@coxswain/apimachinery';
import type { ApiRequest } from '@coxswain/apiserver';
import type { AnyObject } from './any-object.ts';
import type { Store } from './resource.ts';

export interface WriteConditions {
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** @throws StatusError NotFound, Conflict when a precondition fails, and whatever `change` throws */
export async function plainUpdate(
  store: Store,
  request: ApiRequest,
  name: string,
  conditions: WriteConditions,
  dryRun: boolean,
  change: (object: AnyObject) => KubeObject,
): Promise<KubeObject> {
  const untouched = store.withStrategy({ namespaced: store.main.namespaced });
  const result = await untouched.update(
    request,
    name,
    {
      updated(old) {
        const object = old as AnyObject;
        checkConditions(store, object, conditions, dryRun);
        const changed = change(object);
        // The stored object must not change, and the new object's metadata are modified.
        return { ...changed, metadata: { ...changed.metadata } };
      },
    },
    { dryRun, fieldManager: '', fieldValidation: 'Ignore' },
    { create: () => undefined, update: () => undefined, forceAllowCreate: false },
  );
  return result.served.object;
}

function checkConditions(
  store: Store,
  { metadata }: AnyObject,
  { uid, resourceVersion }: WriteConditions,
  dryRun: boolean,
): void {
  const { kind } = store.resource;
  const resource = { group: kind.group, resource: kind.names!.plural };
  // A dry run's key lacks the common prefix, which only the store adds.
  const place = [store.resource.prefix, metadata.namespace, metadata.name].filter(Boolean).join('/');
  const key = `${dryRun ? '' : '/registry'}/${place}`;
  const refuse = (what: string, wanted: string, there: string | undefined) => {
    throw conflict(
      resource,
      metadata.name ?? '',
      `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ` +
        `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${there}`,
    );
  };
  if (uid && uid !== metadata.uid) refuse('UID', uid, metadata.uid);
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    refuse('ResourceVersion', resourceVersion, metadata.resourceVersion);
  }
}
