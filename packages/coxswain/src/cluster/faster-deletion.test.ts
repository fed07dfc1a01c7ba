import { prefixRange } from '@coxswain/storage/storage.ts';
import { expect, test } from 'vitest';
import { startCluster } from './cluster.ts';

test('a pod that is gone as soon as it was marked has been deleted, not missed', async () => {
  const cluster = await startCluster({
    nodes: 0,
    controllers: [],
    disableAdmissionPlugins: ['ServiceAccount'],
  });
  const { storage } = cluster;
  const marks: string[] = [];
  // As a kubelet that reacts to the mark before the server has deleted the pod itself.
  const kubelet = storage.subscribe(prefixRange('/registry/pods/'), storage.currentRevision, {
    onEvents({ events }) {
      for (const { type, entry } of events) {
        if (type === 'delete' || !new TextDecoder().decode(entry.value).includes('deletionTimestamp'))
          continue;
        marks.push(entry.key);
        void storage.update(entry.key, () => ({ kind: 'delete' }));
      }
    },
    onEnd: () => undefined,
  });
  const pods = cluster.client().resource('v1', 'pods').namespace('kube-system');
  await pods.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'short' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  } as never);
  await pods.delete('short');
  expect(marks).toEqual(['/registry/pods/kube-system/short']);
  await expect(pods.get('short')).rejects.toThrow('pods "short" not found');
  kubelet.cancel();
  await cluster.stop();
});
