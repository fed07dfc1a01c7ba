/**
 * Deleting a namespace only marks it: the namespace controller first deletes its content, then removes the finalizers
 * of its spec.
 */
import { conflict, formatTime, type KubeObject } from '@coxswain/apimachinery';
import type { ApiRequest, DeleteOptions, RestStorage, ValidateObject } from '@coxswain/apiserver';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { Namespace } from '@coxswain/api/core/v1/namespace.ts';
import { plainUpdate } from '../../plain-update.ts';
import { as } from '../../any-object.ts';
import { delegatingTo } from '../../stores.ts';
import type { Store } from '../../resource.ts';

export function namespaceDeletion(store: Store & { readonly main: GenericStore }): RestStorage {
  const { main } = store;
  return {
    ...delegatingTo(main),
    delete: (request, name, options, validate) => remove(store, request, name, options, validate),
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
  const namespace = as<Namespace>(found.object);
  checkPreconditions(namespace, options);
  if (namespace.metadata.deletionTimestamp === undefined) {
    await validate(found.object);
    const now = formatTime(request.receivedAtMs);
    const object = await plainUpdate(store, request, name, {}, options.dryRun, (current) =>
      terminating(as<Namespace>(current), now, options),
    );
    return { served: { object }, immediate: false, status: false };
  }
  if (namespace.spec.finalizers?.length) return { served: found, immediate: false, status: false };
  return store.main.delete(request, name, options, validate);
}

function terminating(namespace: Namespace, now: string, options: DeleteOptions): KubeObject {
  const { metadata, status } = namespace;
  if (metadata.deletionTimestamp !== undefined) return as<KubeObject>(namespace);
  const finalizers = finalizersAfter(metadata.finalizers ?? [], options);
  const { finalizers: _, ...others } = metadata;
  return as<KubeObject>({
    ...namespace,
    metadata: { ...others, deletionTimestamp: now, ...(finalizers.length > 0 && { finalizers }) },
    status: { ...status, phase: 'Terminating' },
  });
}

/** The options for dependents are stored as two finalizers; without options these stay unchanged. */
function finalizersAfter(finalizers: readonly string[], options: DeleteOptions): string[] {
  const { orphanDependents, propagationPolicy } = options;
  if (orphanDependents === undefined && propagationPolicy === undefined) return [...finalizers];
  const added = {
    orphan: orphanDependents ?? propagationPolicy === 'Orphan',
    foregroundDeletion:
      orphanDependents === undefined ? propagationPolicy === 'Foreground' : !orphanDependents,
  };
  const others = finalizers.filter((one) => !(one in added));
  return [...others, ...Object.entries(added).flatMap(([name, wanted]) => (wanted ? [name] : []))];
}

function checkPreconditions({ metadata }: Namespace, { preconditions }: DeleteOptions): void {
  const refuse = (what: string, given: string, there: string | undefined) => {
    throw conflict(
      { group: '', resource: 'namespaces' },
      metadata.name!,
      `Precondition failed: ${what} in precondition: ${given}, ${what} in object meta: ${there}`,
    );
  };
  const { uid, resourceVersion } = preconditions ?? {};
  if (uid !== undefined && uid !== metadata.uid) refuse('UID', uid, metadata.uid);
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    refuse('ResourceVersion', resourceVersion, metadata.resourceVersion);
  }
}
