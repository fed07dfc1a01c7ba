/** Pods whose beginning has to be made again: by their own rules, or since a volume could not be made at first. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { busyboxImage } from './busybox-image.ts';
import { whyNoContainers } from './containerd.ts';
import { nodeName, startOneRealNode, type OneRealNode } from './one-real-node.ts';
import { isRunning, scriptPod } from './script-pod.ts';

const why = whyNoContainers();
const containerTest = test.skipIf(why !== undefined);
const patienceMs = 90_000;
let node: OneRealNode;

beforeAll(async () => {
  if (why === undefined) node = await startOneRealNode();
}, patienceMs);
afterEach(() => node?.clear(), patienceMs);
afterAll(async () => {
  await node?.stop();
}, patienceMs);

const state = { name: 'state', mountPath: '/state' };
const container = (name: string, script: string, more: object = {}): object => ({
  name,
  image: busyboxImage,
  imagePullPolicy: 'IfNotPresent',
  command: ['sh', '-c', script],
  volumeMounts: [state],
  ...more,
});
const noting = (name: string): string => `echo life >> /state/${name}`;

containerTest(
  'a container that asks for it has all begin anew, init containers and all, in the same sandbox with the same volumes',
  async () => {
    await node.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'anew' },
      spec: {
        terminationGracePeriodSeconds: 1,
        volumes: [{ name: 'state', emptyDir: {} }],
        initContainers: [
          container('first', noting('first')),
          container('beside', `${noting('beside')}; exec sleep 1000`, { restartPolicy: 'Always' }),
        ],
        containers: [
          container(
            'asking',
            // Not before the others have noted their lives: they may still be about to when this one runs.
            `${noting('asking')}; until [ -e /state/beside -a -e /state/other ]; do sleep 0.1; done; [ -e /state/asked ] || { touch /state/asked; exit 88; }; exec sleep 1000`,
            {
              restartPolicy: 'Never',
              restartPolicyRules: [
                { action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [88] } },
              ],
            },
          ),
          container('other', `${noting('other')}; exec sleep 1000`),
        ],
      },
    });
    const restarts = ({ status }: Awaited<ReturnType<OneRealNode['create']>>) =>
      [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].map(
        ({ name, restartCount }) => `${name} ${restartCount}`,
      );
    const pod = await node.until(
      'anew',
      (each) => isRunning(each) && restarts(each).every((line) => line.endsWith(' 1')),
      'running again',
    );
    expect(restarts(pod)).toEqual(['first 1', 'beside 1', 'asking 1', 'other 1']);
    await expect
      .poll(
        async () => (await node.exec('anew', 'cd /state; wc -l first beside asking other', 'other')).output,
        { timeout: 20_000 },
      )
      .toMatch(/2 first\s+2 beside\s+2 asking\s+2 other/);
    const { items } = await node.kubelet().cri.listPodSandbox({});
    expect(items).toHaveLength(1);
    await node.remove('anew');
  },
  patienceMs,
);

containerTest(
  'a volume that can not be made when the sandbox stands already is told, and made later; nothing of the first try stays',
  async () => {
    await node.stopKubelet();
    const created = await node.create({
      ...scriptPod(
        'late',
        'exec sleep 1000',
        { nodeName, volumes: [{ name: 'state', emptyDir: {} }] },
        { volumeMounts: [state] },
      ),
    });
    const volumes = path.join(node.rootDirectory, 'pods', created.metadata?.uid ?? '', 'volumes');
    const inTheWay = path.join(volumes, 'kubernetes.io~empty-dir');
    mkdirSync(volumes, { recursive: true });
    writeFileSync(inTheWay, '');
    await node.restartKubelet();
    await expect
      .poll(() => node.events('late'), { timeout: 20_000 })
      .toContainEqual(expect.stringMatching(/^FailedMount: MountVolume\.SetUp failed for volume "state" : /));
    rmSync(inTheWay);
    await node.until('late', isRunning, 'running');
    const { items } = await node.kubelet().cri.listPodSandbox({});
    expect(items.filter(({ state: is }) => is === 0)).toHaveLength(1);
    await node.remove('late');
    await expect
      .poll(async () => (await node.kubelet().cri.listPodSandbox({})).items, { timeout: 20_000 })
      .toEqual([]);
  },
  patienceMs,
);
