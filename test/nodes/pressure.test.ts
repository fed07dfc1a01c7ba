/** A node that runs short, and one whose containers write too much: with real containers. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import { memoryInfo } from '@coxswain/kubelet/node/machine.ts';
import type { KubeletSettings } from '@coxswain/kubelet/config/kubelet-configuration.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { busyboxImage, pauseImage } from './busybox-image.ts';
import { whyNoContainers } from './containerd.ts';
import { unconcernedByRoom } from './kubelet-settings.ts';
import { nodeName, startOneRealNode, type OneRealNode } from './one-real-node.ts';
import { isRunning, scriptPod } from './script-pod.ts';

const containerTest = test.skipIf(whyNoContainers() !== undefined);
const patienceMs = 90_000;
const mi = 1024 * 1024;
/** What the kubelet is started with next; changed before it starts again. */
const settings: { -readonly [Name in keyof KubeletSettings]?: KubeletSettings[Name] } = {
  containerLogMaxSize: '8Ki',
  containerLogMaxFiles: 3,
  containerLogMonitorInterval: 200,
  volumeStatsAggPeriod: 0,
  ...unconcernedByRoom,
};
let node: OneRealNode;

beforeAll(async () => {
  if (whyNoContainers() === undefined) node = await startOneRealNode(settings);
}, patienceMs);
afterAll(async () => {
  await node?.stop();
}, patienceMs);

containerTest(
  'a container that logs without end keeps three files, and its log is read on',
  async () => {
    await node.create(
      scriptPod('chatty', 'i=0; while true; do i=$((i+1)); echo line $i of many; sleep 0.002; done'),
    );
    const pod = await node.until('chatty', isRunning, 'running');
    const directory = path.join(
      node.containerd.directory,
      'pod-logs',
      `default_chatty_${pod.metadata?.uid}`,
      'c',
    );
    await expect
      .poll(() => readdirSync(directory).filter((name) => name.endsWith('.gz')).length, { timeout: 30_000 })
      .toBe(1);
    expect(readdirSync(directory).filter((name) => !name.endsWith('.tmp')).length).toBeLessThanOrEqual(3);
    // Between two files there may be a moment without.
    await expect.poll(() => node.log('chatty')).toMatch(/line \d+ of many/);
    await node.remove('chatty');
    await expect.poll(() => existsSync(directory)).toBe(false);
  },
  patienceMs,
);

containerTest(
  'an emptyDir over its size makes its pod go',
  async () => {
    await node.create(
      scriptPod(
        'writer',
        'dd if=/dev/zero of=/scratch/file bs=1M count=3 2>/dev/null; sync; exec sleep 1000',
        { volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '1Mi' } }] },
        { volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }] },
      ),
    );
    const pod = await node.until('writer', ({ status }) => status?.phase === 'Failed', 'evicted');
    expect(pod.status).toMatchObject({
      reason: 'Evicted',
      message: 'Usage of EmptyDir volume "scratch" exceeds the limit "1Mi". ',
    });
    expect(await node.events('writer')).toContain(
      'Evicted: Usage of EmptyDir volume "scratch" exceeds the limit "1Mi". ',
    );
    await node.remove('writer');
  },
  patienceMs,
);

containerTest(
  'when the disk of images is too full, images that nobody uses go; what pods and their sandboxes are made from stays',
  async () => {
    node.containerd.importImage('docker.io/library/idle:1', { Cmd: ['sh', '-c', 'idle'] });
    await node.create(scriptPod('user', 'exec sleep 1000'));
    await node.until('user', isRunning, 'running');
    settings.imageMinimumGCAge = 0;
    settings.imageGCHighThresholdPercent = 1;
    settings.imageGCLowThresholdPercent = 0;
    await node.restartKubelet();
    const images = async () => {
      const { images: all } = await node.kubelet().cri.listImages({});
      return all.flatMap(({ repoTags }) => repoTags).sort();
    };
    await expect.poll(images, { timeout: 10_000 }).toEqual([busyboxImage, pauseImage]);
    const usage = await node.kubelet().usage();
    await expect
      .poll(() => usage.ownMetrics())
      .toContain('kubelet_image_garbage_collected_total{reason="space"} 1\n');
    await node.remove('user');
    settings.imageGCHighThresholdPercent = 100;
  },
  patienceMs,
);

containerTest(
  'when memory is short, the pod that is most above its request goes first; the node says so, and takes no more',
  async () => {
    const hold = (mebibytes: number) =>
      `x=$(head -c ${mebibytes * mi} /dev/zero | tr "\\0" x); while true; do sleep 1; done`;
    await node.create(scriptPod('modest', hold(1), {}, { resources: { requests: { memory: '32Mi' } } }));
    await node.create(scriptPod('greedy', hold(24)));
    await node.until('modest', isRunning, 'running');
    await node.until('greedy', isRunning, 'running');
    await expect.poll(async () => (await node.exec('greedy', 'echo ok')).code).toBe(0);
    // Far more than any machine has left: whatever else runs, the threshold is crossed.
    settings.evictionHard = { 'memory.available': String((memoryInfo().get('MemTotal') ?? 0) - 64 * mi) };
    await node.restartKubelet();
    const evicted = await node.until('greedy', ({ status }) => status?.phase === 'Failed', 'evicted');
    expect(evicted.status?.reason).toBe('Evicted');
    expect(evicted.status?.message).toMatch(
      /^The node was low on resource: memory\. Threshold quantity: \d+\w*, available: \d+\w*\. Container c was using \d+\w*, request is 0, has larger consumption of memory\. $/,
    );
    expect(evicted.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet' }),
    );
    const nodes = node.client.resource<Node & KubeObject>('v1', 'nodes');
    const find = async () => (await nodes.get(nodeName)) as Node & KubeObject;
    await expect
      .poll(
        async () => (await find()).status.conditions?.find(({ type }) => type === 'MemoryPressure')?.status,
      )
      .toBe('True');
    await expect
      .poll(async () => (await find()).spec?.taints?.map(({ key }) => key), { timeout: 20_000 })
      .toContain('node.kubernetes.io/memory-pressure');
    await node.create(scriptPod('late', 'exec sleep 1000', { nodeName }));
    const refused = await node.until('late', ({ status }) => status?.phase === 'Failed', 'refused');
    expect(refused.status).toMatchObject({
      reason: 'Evicted',
      message: 'Pod was rejected: The node had condition: [MemoryPressure]. ',
    });
    for (const name of ['late', 'greedy', 'modest']) await node.remove(name);
  },
  patienceMs,
);
