/** Finds and creates the ControllerRevisions of a DaemonSet, and removes old ones. */

import { isStatusError } from '@coxswain/apimachinery';
import type { ResourceClient } from '@coxswain/client';
import {
  byRevision,
  revisionData,
  revisionHashLabel,
  sameData,
  truncateHistory,
} from '../history/revisions.ts';
import { resources, type ControllerRevision, type DaemonSet } from '../objects.ts';
import { controllerReference } from '../owners.ts';
import { podTemplateHash } from '../pod-template-hash/pod-template-hash.ts';
import { daemonSetKind } from './daemon-pod.ts';
import type { DaemonView } from './plan.ts';
import type { DaemonSetState } from './daemon-set-state.ts';

const historyLimitDefault = 10;

interface History {
  readonly hash: string;
  readonly old: readonly ControllerRevision[];
}

export async function findHistory(state: DaemonSetState, set: DaemonSet): Promise<History> {
  const client = revisionClient(state, set);
  const data = revisionData(set.spec!.template);
  const revisions = byRevision(await state.claim(set, resources.controllerRevisions, state.caches.revisions));
  const old = revisions.filter((revision) => !sameData(revision, data));
  const next = Math.max(0, ...old.map(({ revision }) => revision)) + 1;
  const current = revisions.findLast((revision) => sameData(revision, data));
  if (current === undefined) return { hash: await createRevision(state, set, client, data, next), old };
  if (current.revision < next) await client.update({ ...current, revision: next });
  return { hash: current.metadata.labels?.[revisionHashLabel] ?? '', old };
}

async function createRevision(
  state: DaemonSetState,
  set: DaemonSet,
  client: ResourceClient<ControllerRevision>,
  data: Record<string, unknown>,
  revision: number,
): Promise<string> {
  const hash = podTemplateHash(set.spec!.template, set.status?.collisionCount);
  const { namespace = '', annotations } = set.metadata;
  const name = `${set.metadata.name}-${hash}`;
  const metadata = {
    name,
    namespace,
    labels: { ...set.spec!.template.metadata?.labels, [revisionHashLabel]: hash },
    ...(annotations === undefined ? {} : { annotations }),
    ownerReferences: [controllerReference(daemonSetKind, set)],
  };
  try {
    await client.create({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata,
      data,
      revision,
    } as unknown as ControllerRevision);
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw error;
    if (!sameData(await client.get(name), data)) {
      await raiseCollisions(state, set);
      throw error;
    }
  }
  return hash;
}

async function raiseCollisions(state: DaemonSetState, set: DaemonSet): Promise<void> {
  const { namespace = '', name = '' } = set.metadata;
  const client = state.context.client.resource<DaemonSet>(resources.daemonSets).namespace(namespace);
  const latest = await client.get(name);
  const collisionCount = (latest.status?.collisionCount ?? 0) + 1;
  await client.updateStatus({ ...latest, status: { ...latest.status!, collisionCount } });
}

export async function cleanUpHistory(
  state: DaemonSetState,
  set: DaemonSet,
  { old }: History,
  { podsByNode }: DaemonView,
): Promise<void> {
  const live = new Set(
    [...podsByNode.values()].flat().map(({ metadata }) => metadata.labels?.[revisionHashLabel]),
  );
  const unused = old.filter(({ metadata }) => !live.has(metadata.labels?.[revisionHashLabel]));
  const limit = (set.spec?.revisionHistoryLimit ?? historyLimitDefault) - (old.length - unused.length);
  await truncateHistory(revisionClient(state, set), unused, Math.max(0, limit));
}

function revisionClient(state: DaemonSetState, set: DaemonSet): ResourceClient<ControllerRevision> {
  return state.context.client
    .resource<ControllerRevision>(resources.controllerRevisions)
    .namespace(set.metadata.namespace ?? '');
}
