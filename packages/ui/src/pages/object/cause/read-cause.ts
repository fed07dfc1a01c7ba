/**
 * Finds the latest change of the desired state of an object or of its controller, which is the usual cause of trouble.
 */

import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import { readHistory, type Change } from '@coxswain/client/history/object-history.ts';
import { writerOf, type Writer } from '@coxswain/client/history/writer-of.ts';
import { resourceIn } from '../../../cluster/cluster.ts';
import { resourceOfKind } from '../../../cluster/kinds.ts';

export interface Controlled {
  readonly kind: ApiResource;
  readonly object: KubeObject;
}

export interface Cause extends Controlled {
  readonly change: Change;
  readonly writer: Writer | undefined;
}

/** Each change that is examined costs a request. */
const changesMax = 100;

/**
 * @param asks the part of an object to compare
 * @returns undefined if the server knows of no change
 * @throws StatusError if the user may not read the history
 */
export async function readCause(
  shown: Controlled,
  asks: (object: KubeObject) => unknown = askedFor,
): Promise<Cause | undefined> {
  const controlling = await controllerOf(shown);
  const { kind } = controlling;
  const { namespace, name = '' } = controlling.object.metadata;
  const { changes = [] } = (await readHistory(resourceIn(kind, namespace), name, changesMax)) ?? {};
  const object = changes.at(-1)?.after;
  if (object === undefined) return undefined;
  // A change made after a pod was created cannot be the cause of the pod's state.
  const madeAt = controlling === shown ? undefined : shown.object.metadata.creationTimestamp;
  for (const change of changes.toReversed()) {
    const { before, after } = change;
    if (after === undefined || (before !== undefined && isSame(asks(before), asks(after)))) continue;
    const writer = writerOf(before, after);
    if (madeAt === undefined || (writer?.time ?? '') <= madeAt) return { kind, object, change, writer };
  }
  return undefined;
}

/** The last in the chain of controllers, such as the Deployment of a Pod; the object itself if nothing controls it. */
async function controllerOf(shown: Controlled): Promise<Controlled> {
  const { namespace, ownerReferences = [] } = shown.object.metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true);
  const kind = owner && resourceOfKind(owner.apiVersion, owner.kind);
  if (owner === undefined || kind === undefined) return shown;
  const object = await resourceIn(kind, kind.namespaced ? namespace : undefined).get(owner.name);
  return controllerOf({ kind, object });
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The whole object except metadata and status. */
function askedFor(object: KubeObject): unknown {
  const { metadata: _1, status: _2, ...rest } = object as KubeObject & { readonly status?: unknown };
  return rest;
}
