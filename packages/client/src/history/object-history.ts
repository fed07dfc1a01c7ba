/**
 * The history of an object, read through the API alone: lists by name at exact versions, backwards from the latest, as
 * far back as the server's history reaches. Works with any Kubernetes API server.
 */

import { isStatusError, type KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ResourceClient } from '../resource/resource-client.ts';
import { pastEvents } from './past-events.ts';

export interface Change {
  readonly kind: 'created' | 'changed' | 'deleted';
  /** Undefined for a creation. */
  readonly before?: KubeObject;
  /** Undefined for a deletion. */
  readonly after?: KubeObject;
  /** The resourceVersion of the change. */
  readonly revision: number;
}

export interface ObjectHistory {
  /** Oldest first. */
  readonly changes: readonly Change[];
  /** Why the history goes no further back. */
  readonly begins: 'created' | 'compacted' | 'limited';
  /** The first known state, if it is not a creation. */
  readonly first?: KubeObject;
}

/**
 * @param changesMax the number of changes to read, latest first
 * @param known the result of an earlier call: only newer changes are read
 * @returns undefined if the object does not exist and none is known to have existed
 */
export async function readHistory(
  resource: ResourceClient,
  name: string,
  changesMax: number,
  known?: ObjectHistory,
): Promise<ObjectHistory | undefined> {
  const [newest] = (await resource.list({ fieldSelector: `metadata.name=${name}` })).items;
  if (newest !== undefined) return readBack(resource, name, newest, [], changesMax, known);
  const deletion = await lastDeletion(resource, name);
  if (deletion === undefined) return undefined;
  return readBack(resource, name, deletion.before!, [deletion], changesMax, known);
}

async function readBack(
  resource: ResourceClient,
  name: string,
  newest: KubeObject,
  later: readonly Change[],
  changesMax: number,
  known?: ObjectHistory,
): Promise<ObjectHistory> {
  const changes = [...later];
  const lastKnown = known?.changes.at(-1)?.revision;
  for (let after = newest; changes.length < changesMax;) {
    const revision = revisionOf(after);
    if (known !== undefined && revision === lastKnown) return continued(known, changes.reverse(), changesMax);
    const before = await objectAt(resource, name, revision - 1);
    if (before === 'compacted') return { changes: changes.reverse(), begins: 'compacted', first: after };
    if (before === undefined || before.metadata.uid !== after.metadata.uid) {
      changes.push({ kind: 'created', after, revision });
      return { changes: changes.reverse(), begins: 'created' };
    }
    changes.push({ kind: 'changed', before, after, revision });
    after = before;
  }
  return { changes: changes.reverse(), begins: 'limited' };
}

function continued(known: ObjectHistory, newer: readonly Change[], changesMax: number): ObjectHistory {
  const changes = [...known.changes, ...newer];
  return changes.length <= changesMax
    ? { ...known, changes }
    : { changes: changes.slice(-changesMax), begins: 'limited' };
}

async function objectAt(
  resource: ResourceClient,
  name: string,
  revision: number,
): Promise<KubeObject | undefined | 'compacted'> {
  try {
    const { items } = await resource.list({
      fieldSelector: `metadata.name=${name}`,
      resourceVersion: String(revision),
      resourceVersionMatch: 'Exact',
    });
    return items[0];
  } catch (failure) {
    if (isExpired(failure)) return 'compacted';
    throw failure;
  }
}

/** For an object that no longer exists, a watch from the oldest known version reveals when it was deleted. */
async function lastDeletion(resource: ResourceClient, name: string): Promise<Change | undefined> {
  try {
    return await lastDeletionSince(resource, name, '1');
  } catch (failure) {
    const oldest = isExpired(failure) ? /\((\d+)\)/.exec(messageOf(failure))?.[1] : undefined;
    if (oldest === undefined) throw failure;
    return lastDeletionSince(resource, name, oldest);
  }
}

async function lastDeletionSince(
  resource: ResourceClient,
  name: string,
  resourceVersion: string,
): Promise<Change | undefined> {
  const events = pastEvents(resource, { fieldSelector: `metadata.name=${name}`, resourceVersion });
  let deletion: Change | undefined;
  for await (const { type, object } of events) {
    if (type !== 'DELETED') continue;
    const revision = revisionOf(object);
    const before = await objectAt(resource, name, revision - 1);
    const known = before === undefined || before === 'compacted' ? object : before;
    deletion = { kind: 'deleted', before: known, revision };
  }
  return deletion;
}

const revisionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion);

const isExpired = (failure: unknown): boolean => isStatusError(failure) && failure.code === 410;
