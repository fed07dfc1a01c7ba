/** What pods leave behind on the node: nothing. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { whyNoContainers } from './containerd.ts';
import { isRunning, scriptPod, startOneRealNode } from './one-real-node.ts';
import type { OneRealNode } from './one-real-node.ts';

/** `PODS=1000` for the long run. */
const podsTotal = Number(process.env['PODS'] ?? 12);
const atOnce = 6;
const patienceMs = 60_000 + podsTotal * 5_000;

test.skipIf(whyNoContainers() !== undefined)(
  'pods that are gone leave no mount, interface, namespace, process, control group or file',
  async () => {
    const node = await startOneRealNode();
    try {
      // The first pod makes what stays: the bridge, and the folders of all pods.
      await startAndRemove(node, ['first']);
      await expect
        .poll(() => tracesOf(node), { timeout: 20_000 })
        .toMatchObject({ podFolders: [], logFolders: [], logLinks: [], containers: '' });
      const before = tracesOf(node);
      const names = Array.from({ length: podsTotal }, (_, index) => `pod-${index}`);
      for (let at = 0; at < names.length; at += atOnce)
        await startAndRemove(node, names.slice(at, at + atOnce));
      await expect.poll(() => tracesOf(node), { timeout: 20_000 }).toEqual(before);
    } finally {
      await node.stop();
    }
  },
  patienceMs,
);

async function startAndRemove(node: OneRealNode, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => node.create(pod(name))));
  await Promise.all(names.map((name) => node.until(name, isRunning, 'running')));
  await Promise.all(names.map((name) => node.remove(name)));
}

const pod = (name: string): object =>
  scriptPod(
    name,
    'mkdir -p /memory/part; exec sleep 1000',
    {
      volumes: [
        { name: 'memory', emptyDir: { medium: 'Memory' } },
        {
          name: 'labels',
          downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] },
        },
      ],
    },
    {
      volumeMounts: [
        { name: 'memory', mountPath: '/memory' },
        { name: 'memory', mountPath: '/part', subPath: 'part' },
        { name: 'labels', mountPath: '/labels' },
      ],
      resources: { requests: { cpu: '10m' } },
    },
  );

function tracesOf({ containerd, rootFolder, cgroup }: OneRealNode) {
  const { folder } = containerd;
  const lines = (program: string, ...args: string[]) =>
    execFileSync(program, args, { encoding: 'utf8' }).split('\n');
  const onBridge = lines('ip', '-o', 'link', 'show').filter((line) =>
    line.includes(`master ${containerd.bridge}`),
  );
  return {
    mounts: readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .filter((line) => line.includes(`${folder}/`)).length,
    interfaces: onBridge.length,
    processes: lines('ps', '-eo', 'args').filter((line) => line.includes('shim') && line.includes(folder))
      .length,
    groups: groupsBelow(cgroup),
    podFolders: readdirSync(path.join(rootFolder, 'pods')),
    logFolders: existsSync(path.join(folder, 'pod-logs')) ? readdirSync(path.join(folder, 'pod-logs')) : [],
    logLinks: existsSync(path.join(folder, 'container-logs'))
      ? readdirSync(path.join(folder, 'container-logs'))
      : [],
    addresses: readdirSync(path.join(folder, 'cni-data', containerd.bridge)).filter((name) =>
      /^\d/.test(name),
    ),
    containers: containerd.ctr('containers', 'ls', '-q'),
    snapshots: containerd.ctr('snapshots', 'ls').split('\n').length,
  };
}

const groupsBelow = (cgroup: string): readonly string[] =>
  readdirSync('/sys/fs/cgroup').flatMap((controller) => {
    const place = path.join('/sys/fs/cgroup', controller, cgroup);
    return existsSync(place)
      ? execFileSync('find', [place, '-type', 'd'], { encoding: 'utf8' }).split('\n').sort()
      : [];
  });
