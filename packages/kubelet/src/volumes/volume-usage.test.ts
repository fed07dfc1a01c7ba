import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { VolumeUsages } from './volume-usage.ts';

test('volumes of the kubelet are measured, those of drivers asked, paths of the node neither; for a minute', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'usage-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const scratch = path.join(root, 'kubernetes.io~empty-dir/scratch');
  mkdirSync(scratch, { recursive: true });
  writeFileSync(path.join(scratch, 'a'), 'x'.repeat(100_000));
  const clock = new ManualClock(0);
  const asked: string[] = [];
  const places: Readonly<Record<string, string>> = {
    scratch,
    data: '/p/kubernetes.io~csi/pv1/mount',
    node: '/etc',
    broken: '/nowhere/kubernetes.io~secret/broken',
  };
  const usages = new VolumeUsages({
    clock,
    mounted: () =>
      new Map(Object.entries(places).map(([name, hostPath]) => [name, { hostPath, readOnly: false }])),
    csi: {
      async usage(directory) {
        asked.push(directory);
        return {
          availableBytes: 6,
          capacityBytes: 10,
          usedBytes: 4,
          inodesFree: 3,
          inodes: 5,
          inodesUsed: 2,
        };
      },
    },
  });
  const pod = {
    metadata: { uid: 'u1', name: 'web', namespace: 'shop' },
    spec: {
      volumes: [
        { name: 'scratch', emptyDir: {} },
        { name: 'data', persistentVolumeClaim: { claimName: 'files' } },
        { name: 'node', hostPath: { path: '/etc' } },
        { name: 'broken', secret: { secretName: 's' } },
      ],
    },
  } as unknown as Pod;
  const [first, second, ...others] = await usages.of(pod);
  expect(first).toMatchObject({ name: 'scratch', inodesUsed: 2 });
  expect(first?.usedBytes).toBeGreaterThanOrEqual(100_000);
  expect(first?.capacityBytes).toBeGreaterThan(first?.usedBytes ?? 0);
  expect(second).toEqual({
    name: 'data',
    pvcRef: { name: 'files', namespace: 'shop' },
    availableBytes: 6,
    capacityBytes: 10,
    usedBytes: 4,
    inodesFree: 3,
    inodes: 5,
    inodesUsed: 2,
  });
  expect(others).toEqual([]);
  await usages.of(pod);
  expect(asked).toEqual(['/p/kubernetes.io~csi/pv1']);
  await clock.advance(60_000);
  await usages.of(pod);
  expect(asked).toHaveLength(2);
});
