/** The latest change of what was asked for, of an object or of what controls it: most of what is not well follows from it. */

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

/** Each change that is looked at is a request. */
const changesMax = 100;

/** @param asks what of an object is compared; undefined is answered where the server knows of no change. @throws StatusError where the user may not read it */
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
  // What was asked for after a pod was made is not why it is as it is.
  const madeAt = controlling === shown ? undefined : shown.object.metadata.creationTimestamp;
  for (const change of changes.toReversed()) {
    const { before, after } = change;
    if (after === undefined || (before !== undefined && isSame(asks(before), asks(after)))) continue;
    const writer = writerOf(before, after);
    if (madeAt === undefined || (writer?.time ?? '') <= madeAt) return { kind, object, change, writer };
  }
  return undefined;
}

/** Of a chain of controllers the last, as a Deployment is of a Pod; the object itself where nothing controls it. */
async function controllerOf(shown: Controlled): Promise<Controlled> {
  const { namespace, ownerReferences = [] } = shown.object.metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true);
  const kind = owner && resourceOfKind(owner.apiVersion, owner.kind);
  if (owner === undefined || kind === undefined) return shown;
  const object = await resourceIn(kind, kind.namespaced ? namespace : undefined).get(owner.name);
  return controllerOf({ kind, object });
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** All of it but what is reported. */
function askedFor(object: KubeObject): unknown {
  const { metadata: _1, status: _2, ...rest } = object as KubeObject & { readonly status?: unknown };
  return rest;
}
