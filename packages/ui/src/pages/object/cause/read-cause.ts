/**
 * Finds the latest change of the desired state of an object or of its controller, which is the usual cause of trouble.
 */

import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import { readHistory, type Change } from '@coxswain/client/history/object-history.ts';
import { lastWriter, writerOf, type Writer } from '@coxswain/client/history/writer-of.ts';
import { resourceIn } from '../../../cluster/cluster.ts';
import { resourceOfKind } from '../../../cluster/kinds.ts';
import { withEarlierTemplate } from './earlier-template.ts';

export interface Controlled {
  readonly kind: ApiResource;
  readonly object: KubeObject;
}

export interface Cause extends Controlled {
  /** Without a revision if it was deduced. */
  readonly change: Omit<Change, 'revision'> & { readonly revision?: number };
  readonly writer: Writer | undefined;
}

/** Each change that is examined costs a request. */
const changesMax = 100;

/**
 * Changes that the server has compacted are deduced from the workload's earlier pod template and managed fields.
 * @returns undefined if the server knows of no change
 * @throws StatusError if the user may not read the history
 */
export async function readCause(shown: Controlled): Promise<Cause | undefined> {
  const controlling = await controllerOf(shown);
  const { kind } = controlling;
  const { namespace, name = '' } = controlling.object.metadata;
  const { changes = [] } = (await readHistory(resourceIn(kind, namespace), name, changesMax)) ?? {};
  const object = changes.at(-1)?.after ?? controlling.object;
  // A change made after a pod was created cannot be the cause of the pod's state.
  const madeAt = controlling === shown ? undefined : shown.object.metadata.creationTimestamp;
  for (const change of changes.toReversed()) {
    const { before, after } = change;
    if (after === undefined || (before !== undefined && isSame(askedFor(before), askedFor(after)))) continue;
    // A node asks for nothing when it registers.
    if (before === undefined && isNode(kind)) return undefined;
    const writer = writerOf(before, after);
    if (madeAt === undefined || (writer?.time ?? '') <= madeAt) return { kind, object, change, writer };
  }
  return deduced(controlling, madeAt);
}

/** The latest change as far as it can be known without the server's history. */
async function deduced({ kind, object }: Controlled, madeAt: string | undefined): Promise<Cause | undefined> {
  const writer = lastWriter(object);
  if (writer === undefined || isNode(kind) || (madeAt !== undefined && writer.time > madeAt))
    return undefined;
  const before = await withEarlierTemplate(kind, object);
  const isCreation = writer.time === object.metadata.creationTimestamp;
  if (before === undefined && !isCreation) return undefined;
  return {
    kind,
    object,
    writer,
    change: isCreation
      ? { kind: 'created', after: object }
      : { kind: 'changed', before: before!, after: object },
  };
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

interface Asked extends KubeObject {
  readonly status?: unknown;
  readonly spec?: { readonly taints?: readonly { readonly key: string }[] };
}

/** The whole object except metadata, status and the taints by which controllers report the state of a node. */
function askedFor(object: KubeObject): unknown {
  const { metadata: _1, status: _2, ...rest } = object as Asked;
  const taints = rest.spec?.taints?.filter(({ key }) => !key.startsWith('node.kubernetes.io/')) ?? [];
  return { ...rest, spec: { ...rest.spec, taints } };
}

const isNode = ({ group, resource }: Controlled['kind']): boolean => group === '' && resource === 'nodes';
