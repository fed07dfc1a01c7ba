/** A node on a disk that is nearly full: a small file system in memory stands for it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kubectlOn, startAllInOne } from './cluster-on-machines.ts';
import { startContainerd, whyNoContainers, type Containerd } from './containerd.ts';
import { startMachines, type Machine, type Machines } from './machines.ts';

const containerTest = test.skipIf(whyNoContainers() !== undefined);
const patienceMs = 120_000;
const notice = 'pods will be refused and evicted';
const mi = 1024 * 1024;
let machines: Machines;
let machine: Machine;
let containerd: Containerd;
let directory: string;

beforeAll(async () => {
  if (whyNoContainers() !== undefined) return;
  machines = startMachines(['only']);
  machine = machines.all[0]!;
  containerd = await startContainerd({ networkNamespace: machine.namespace, hasNoNetwork: true });
  directory = path.join(containerd.directory, 'small');
  mkdirSync(directory);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'small', directory]);
  writeFileSync(path.join(directory, 'much'), Buffer.alloc(30 * mi));
}, patienceMs);

afterAll(async () => {
  await machines?.stop();
  await containerd?.stop();
}, patienceMs);

const diskPressure = () =>
  kubectlOn(machine, directory)(
    'get',
    'node',
    'only',
    '-o=jsonpath={.status.conditions[?(@.type=="DiskPressure")].status}',
  );

containerTest(
  'one line at the start tells what is short and what to do',
  async () => {
    const up = await startAllInOne(machine, containerd, directory, {
      evictionHard: { 'nodefs.available': '10%' },
    });
    const said = (await up.saying(notice)).split('\n').filter((line) => line.includes(notice));
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(
      /nodefs\.available \(\S+\/small\/kubelet\) is \d(\.\d)?%, below 10%.*set evictionHard/,
    );
    await expect.poll(diskPressure, { timeout: 30_000 }).toBe('True');
    await up.stop();
  },
  patienceMs,
);

containerTest(
  'the settings of these tests take no notice of it',
  async () => {
    const up = await startAllInOne(machine, containerd, directory);
    await expect.poll(diskPressure, { timeout: 30_000 }).toBe('False');
    expect(up.said()).not.toContain(notice);
    await up.stop();
  },
  patienceMs,
);
