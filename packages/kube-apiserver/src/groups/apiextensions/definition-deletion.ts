/**
 * Deleting a CustomResourceDefinition only marks it: its objects are deleted first, then the server removes its
 * finalizer.
 */
import { conflict, formatTime, type KubeObject } from '@coxswain/apimachinery';
import type { ApiRequest, DeleteOptions, RestStorage, ValidateObject } from '@coxswain/apiserver';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { CustomResourceDefinition } from '@coxswain/api/apiextensions/v1/index.ts';
import { plainUpdate } from '../plain-update.ts';
import { as } from '../any-object.ts';
import { delegatingTo } from '../stores.ts';
import type { Store } from '../resource.ts';
import { withCondition } from './definition-status.ts';

export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export function definitionDeletion(store: Store & { readonly main: GenericStore }): RestStorage {
  const { main } = store;
  return {
    ...delegatingTo(main),
    delete: (request, name, options, validate) => remove(store, request, name, options, validate),
    async deleteCollection(request, options, listOptions, validate) {
      const listed = await main.list(request, listOptions);
      for (const { object } of listed.items) {
        await remove(store, request, object.metadata.name ?? '', options, validate);
      }
      return listed;
    },
  };
}

async function remove(
  store: Store & { readonly main: GenericStore },
  request: ApiRequest,
  name: string,
  options: DeleteOptions,
  validate: ValidateObject,
) {
  const found = await store.main.get(request, name, { resourceVersion: '' });
  const { uid, deletionTimestamp } = found.object.metadata;
  const wanted = options.preconditions?.uid;
  if (wanted !== undefined && wanted !== uid) {
    throw conflict(
      { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' },
      name,
      `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${uid}`,
    );
  }
  if (deletionTimestamp !== undefined) return store.main.delete(request, name, options, validate);
  await validate(found.object);
  const now = formatTime(request.receivedAtMs);
  const object = await plainUpdate(store, request, name, {}, options.dryRun, (current) =>
    terminating(as<CustomResourceDefinition>(current), now),
  );
  return { served: { object }, immediate: false, status: false };
}

function terminating(definition: CustomResourceDefinition, now: string): KubeObject {
  const { metadata } = definition;
  const finalizers = (metadata.finalizers ?? []).filter((one) => one !== cleanupFinalizer);
  return as<KubeObject>({
    ...definition,
    metadata: { ...metadata, deletionTimestamp: now, finalizers: [...finalizers, cleanupFinalizer] },
    status: withCondition(definition.status, now, {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    }),
  });
}
