/**
 * Determines which objects belong to an owner: adopts matching orphans, and releases owned objects that no longer
 * match.
 */

import { isStatusError, type KubeObject, type LabelSelector } from '@coxswain/apimachinery';
import type { Lister, ResourceClient } from '@coxswain/client';
import { controllerIndex, controllerReference, orphansOf, type OwnerKind } from './owners.ts';

export interface ClaimOptions<T extends KubeObject> {
  readonly owner: KubeObject;
  readonly ownerKind: OwnerKind;
  readonly selector: LabelSelector;
  /** Indexed by controller. */
  readonly lister: Lister<T>;
  readonly client: ResourceClient<T>;
  /** Returns the owner's current state from the server, since a stale one must not adopt. */
  readonly fresh: () => Promise<KubeObject>;
  readonly filter?: (object: T) => boolean;
  /** Finalizers to add to an adopted object. */
  readonly finalizers?: readonly string[];
  /** Called with the objects as they were written. */
  readonly wrote?: (object: T) => void;
}

export async function claim<T extends KubeObject>(options: ClaimOptions<T>): Promise<T[]> {
  const { owner, selector, lister } = options;
  const { uid = '', namespace = '', deletionTimestamp } = owner.metadata;
  const claimed: T[] = [];
  for (const object of lister.byIndex(controllerIndex, uid)) {
    if (selector.matches(object.metadata.labels)) claimed.push(object);
    else if (deletionTimestamp === undefined) await release(options, object);
  }
  if (deletionTimestamp !== undefined) return claimed;
  const adopter = adoption(options);
  for (const object of lister.byIndex(controllerIndex, orphansOf(namespace))) {
    if (!selector.matches(object.metadata.labels) || options.filter?.(object) === false) continue;
    if (object.metadata.deletionTimestamp !== undefined) continue;
    const adopted = await adopter(object);
    if (adopted !== undefined) claimed.push(adopted);
  }
  return claimed;
}

function adoption<T extends KubeObject>(options: ClaimOptions<T>) {
  const { owner, ownerKind, client, fresh, finalizers } = options;
  let allowed: Promise<void> | undefined;
  return async (object: T): Promise<T | undefined> => {
    await (allowed ??= checkFresh(owner, fresh));
    const { name = '', namespace = '', uid } = object.metadata;
    const metadata = {
      ownerReferences: [controllerReference(ownerKind, owner)],
      uid,
      ...(finalizers === undefined ? {} : { finalizers }),
    };
    try {
      const adopted = await client.namespace(namespace).patch(name, { metadata });
      options.wrote?.(adopted);
      if (finalizers === undefined) return object;
      // The informer reports them later, but the following code must know them.
      const all = [...new Set([...(object.metadata.finalizers ?? []), ...finalizers])];
      return { ...object, metadata: { ...object.metadata, finalizers: all } };
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return undefined;
      throw error;
    }
  };
}

async function checkFresh(owner: KubeObject, fresh: () => Promise<KubeObject>): Promise<void> {
  const { namespace, name, uid } = owner.metadata;
  const current = await fresh();
  if (current.metadata.uid !== uid) {
    throw new Error(`original ${namespace}/${name} is gone: got uid ${current.metadata.uid}, wanted ${uid}`);
  }
  if (current.metadata.deletionTimestamp !== undefined) {
    throw new Error(`${namespace}/${name} has just been deleted at ${current.metadata.deletionTimestamp}.`);
  }
}

async function release<T extends KubeObject>({ owner, client }: ClaimOptions<T>, object: T): Promise<void> {
  const { name = '', namespace = '', uid } = object.metadata;
  const ownerReferences = [{ $patch: 'delete', uid: owner.metadata.uid }];
  try {
    await client.namespace(namespace).patch(name, { metadata: { uid, ownerReferences } });
  } catch (error) {
    // The object is gone or was replaced: there is nothing left to release.
    if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Invalid')) throw error;
  }
}
