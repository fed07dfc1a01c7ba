/** Performs an action on many objects, a few at a time. Failures are reported and do not stop the others. */

import type { ApiResource, DeleteOptions, ResourceClient } from '@coxswain/client';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { fieldManager, resourceIn } from '../cluster/cluster.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { inLanguages } from '../language/language.ts';
import { announce } from '../controls/announcements.tsx';

const text = inLanguages(
  {
    deleted: (count: number) => `${count} deleted`,
    scaled: (count: number) => `${count} scaled`,
    restarted: (count: number) => `${count} restarted`,
    labelled: (count: number) => `${count} labelled`,
    failed: (count: number, first: string) => (count === 1 ? first : `${count} failed, the first: ${first}`),
  },
  {
    deleted: (count: number) => `已删除 ${count} 个`,
    scaled: (count: number) => `已伸缩 ${count} 个`,
    restarted: (count: number) => `已重启 ${count} 个`,
    labelled: (count: number) => `已设置 ${count} 个的标签`,
    failed: (count: number, first: string) => (count === 1 ? first : `${count} 个失败，第一个：${first}`),
  },
);

export interface ManyObjects {
  readonly kind: ApiResource;
  readonly rows: readonly KubeObject[];
}

const atOnce = 6;

export const deleteAll = (
  objects: ManyObjects,
  propagationPolicy: NonNullable<DeleteOptions['propagationPolicy']>,
): Promise<void> =>
  each(objects, text().deleted, (resource, { metadata: { name = '', uid } }) =>
    resource.delete(name, { propagationPolicy, ...(uid !== undefined && { preconditions: { uid } }) }),
  );

export const scaleAll = (objects: ManyObjects, replicas: number): Promise<void> =>
  each(objects, text().scaled, (resource, { metadata: { name = '' } }) =>
    resource.patch(name, { spec: { replicas } }, { fieldManager, type: 'merge', subresource: 'scale' }),
  );

/** Restarts workloads as `kubectl rollout restart` does. */
export const restart = (objects: ManyObjects): Promise<void> => {
  const annotations = { 'kubectl.kubernetes.io/restartedAt': new Date().toISOString() };
  const patch = { spec: { template: { metadata: { annotations } } } };
  return each(objects, text().restarted, (resource, { metadata: { name = '' } }) =>
    resource.patch(name, patch, { fieldManager, type: 'merge' }),
  );
};

/** @param labels null removes a label */
export const labelAll = (
  objects: ManyObjects,
  labels: Readonly<Record<string, string | null>>,
): Promise<void> =>
  each(objects, text().labelled, (resource, { metadata: { name = '' } }) =>
    resource.patch(name, { metadata: { labels } }, { fieldManager, type: 'merge' }),
  );

/** Announces how many are done, and what failed first. */
export async function each(
  { kind, rows }: ManyObjects,
  done: (count: number) => string,
  act: (resource: ResourceClient, row: KubeObject) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  const left = rows.values();
  const work = async (): Promise<void> => {
    for (const row of left) {
      const { namespace } = row.metadata;
      await act(resourceIn(kind, namespace), row).catch((failure: unknown) => failures.push(failure));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length < rows.length) announce('ok', done(rows.length - failures.length));
  if (failures.length > 0) announce('bad', text().failed(failures.length, messageOf(failures[0])));
}
