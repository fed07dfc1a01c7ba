/**
 * The pod template that a workload had before its current one, from the objects that `kubectl rollout undo` reads:
 * ReplicaSets of a Deployment, ControllerRevisions of a StatefulSet or DaemonSet. They outlive the server's history.
 */

import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import { resourceIn } from '../../../cluster/cluster.ts';
import { podSelectorOf } from '../pod-selector.ts';
import { earlierOf, revisionOfControllerRevision, revisionOfReplicaSet } from './template-revisions.ts';

const apps = { group: 'apps', version: 'v1' };

/**
 * @returns the object with its earlier template; undefined if there is none
 * @throws StatusError if the user may not list the revisions
 */
export async function withEarlierTemplate(
  kind: ApiResource,
  object: KubeObject,
): Promise<KubeObject | undefined> {
  const labelSelector = podSelectorOf(kind, object);
  if (kind.group !== 'apps' || labelSelector === undefined) return undefined;
  const resource = kind.resource === 'deployments' ? 'replicasets' : 'controllerrevisions';
  const { items } = await resourceIn({ ...apps, resource }, object.metadata.namespace).list({
    labelSelector,
  });
  const own = items.filter(({ metadata: { ownerReferences = [] } }) =>
    ownerReferences.some(({ uid }) => uid === object.metadata.uid),
  );
  return earlierOf(
    object,
    own.flatMap(resource === 'replicasets' ? revisionOfReplicaSet : revisionOfControllerRevision),
  );
}
