/** Finds the current and the updated revision of a StatefulSet, and removes old ones. */

import { createRevision, revisionData, sameData, truncateHistory } from '../history/revisions.ts';
import { controllerReference } from '../owners.ts';
import type { ControllerRevision } from '../objects.ts';
import { statefulSetKind } from './ordinals.ts';
import { type StatefulSetRun, revisionLabel } from './stateful-set-run.ts';

const historyLimitDefault = 10;

export async function findRevisions(
  run: StatefulSetRun,
  revisions: readonly ControllerRevision[],
): Promise<void> {
  const { revisionClient } = run.options;
  const data = revisionData(run.set.spec!.template);
  const newest = revisions.at(-1);
  const equal = revisions.findLast((revision) => sameData(revision, data));
  if (equal === undefined) {
    const created = await createRevision(
      revisionClient,
      run.set,
      newRevision(run, data, (newest?.revision ?? 0) + 1),
      run.collisionCount,
    );
    run.update = created.revision;
    run.collisionCount = created.collisionCount;
  } else if (equal === newest) run.update = equal;
  // After a rollback to a former template, its revision becomes the latest.
  else run.update = await revisionClient.update({ ...equal, revision: (newest?.revision ?? 0) + 1 });
  const currentName = run.set.status?.currentRevision;
  run.current = revisions.find(({ metadata }) => metadata.name === currentName) ?? run.update;
}

function newRevision(
  run: StatefulSetRun,
  data: Record<string, unknown>,
  revision: number,
): ControllerRevision {
  const { namespace = '', annotations } = run.set.metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      namespace,
      labels: { ...run.set.spec?.template.metadata?.labels },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(statefulSetKind, run.set)],
    },
    data,
    revision,
  } as unknown as ControllerRevision;
}

export async function truncateRevisions(
  run: StatefulSetRun,
  revisions: readonly ControllerRevision[],
): Promise<void> {
  const live = new Set([
    run.current.metadata.name,
    run.update.metadata.name,
    ...run.options.pods.map(revisionLabel),
  ]);
  const unused = revisions.filter(({ metadata }) => !live.has(metadata.name));
  await truncateHistory(
    run.options.revisionClient,
    unused,
    run.set.spec?.revisionHistoryLimit ?? historyLimitDefault,
  );
}
