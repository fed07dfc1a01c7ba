/** Cordons, uncordons and drains nodes, as kubectl does. */

import { isStatusError, type Live } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { client, fieldManager } from '../cluster/cluster.ts';
import { announce } from '../controls/announcements.tsx';
import { inLanguages } from '../language/language.ts';
import { each, type ManyObjects } from './many-objects.ts';

const text = inLanguages(
  {
    cordoned: (count: number) => `${count} cordoned`,
    uncordoned: (count: number) => `${count} uncordoned`,
    evicted: (count: number) => (count === 1 ? '1 pod evicted' : `${count} pods evicted`),
    refused: (count: number, first: string) => `${count} could not be evicted. The first: ${first}`,
  },
  {
    cordoned: (count: number) => `已封锁 ${count} 个`,
    uncordoned: (count: number) => `已解除封锁 ${count} 个`,
    evicted: (count: number) => `已驱逐 ${count} 个 Pod`,
    refused: (count: number, first: string) => `${count} 个无法驱逐。第一个：${first}`,
  },
);

export const cordonAll = (nodes: ManyObjects, unschedulable: boolean): Promise<void> =>
  each(nodes, unschedulable ? text().cordoned : text().uncordoned, (resource, { metadata: { name = '' } }) =>
    resource.patch(name, { spec: { unschedulable } }, { fieldManager, type: 'merge' }),
  );

/** The pods that a drain evicts: not those of DaemonSets, of the machine's own files, or that have ended. */
export async function evictedPods({ rows }: ManyObjects): Promise<readonly Live<Pod>[]> {
  const lists = rows.map(({ metadata: { name } }) =>
    client.resource<Live<Pod>>('v1', 'pods').list({ fieldSelector: `spec.nodeName=${name}` }),
  );
  return (await Promise.all(lists)).flatMap(({ items }) => items).filter(isEvicted);
}

const isEvicted = ({ metadata, status }: Live<Pod>): boolean =>
  metadata.ownerReferences?.some(({ kind, controller }) => controller === true && kind === 'DaemonSet') !==
    true &&
  metadata.annotations?.['kubernetes.io/config.mirror'] === undefined &&
  status?.phase !== 'Succeeded' &&
  status?.phase !== 'Failed';

/** Disruption budgets are respected: what they do not allow stays, and is told. */
export async function drainAll(nodes: ManyObjects): Promise<void> {
  await cordonAll(nodes, true);
  const failures: unknown[] = [];
  const pods = await evictedPods(nodes);
  for (const { metadata } of pods) await evict(metadata).catch((failure: unknown) => failures.push(failure));
  announce('ok', text().evicted(pods.length - failures.length));
  if (failures.length > 0) announce('bad', text().refused(failures.length, messageOf(failures[0])));
}

async function evict({ namespace = '', name = '' }: Pod['metadata'] & object): Promise<void> {
  try {
    await client.rest.request({
      verb: 'POST',
      groupVersion: { group: '', version: 'v1' },
      resource: 'pods',
      namespace,
      namespaced: true,
      name,
      subresource: 'eviction',
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { namespace, name } },
    });
  } catch (failure) {
    if (!isStatusError(failure, 'NotFound')) throw failure;
  }
}
