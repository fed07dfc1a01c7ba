/** What pods leave behind on a node that has joined a server: nothing. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apply, join, kubectlOn, startServer, type Kubectl } from './cluster-on-machines.ts';
import { logLinksInto, startContainerd, whyNoContainers, type Containerd } from './containerd.ts';
import { startMachines, type Machine, type Machines, type RunningProgram } from './machines.ts';

const containerTest = test.skipIf(whyNoContainers() !== undefined);
/** `PODS=1000` for the long run. */
const podsTotal = Number(process.env['PODS'] ?? 12);
const atOnce = Number(process.env['AT_ONCE'] ?? 6);
const patienceMs = 120_000 + podsTotal * 5_000;
/**
 * Of the heap, which also has what came with the first pods, such as compiled code; a leak is some 10 kB a pod. Events of
 * some 800 pods are remembered, to tell what is told again: about 5 kB each.
 */
const heapGrowthBytesMax = 4_000_000 + Math.min(podsTotal * 5_000, 5_000_000);
/** Connections come and go with watches. */
const openFilesMoreMax = 5;

let machines: Machines;
let server: Machine;
let machine: Machine;
let containerd: Containerd;
let node: RunningProgram;
let directory: string;
let kubectl: Kubectl;

beforeAll(async () => {
  if (whyNoContainers() !== undefined) return;
  machines = startMachines(['server', 'node']);
  [server, machine] = machines.all as [Machine, Machine];
  containerd = await startContainerd({ networkNamespace: machine.namespace, hasNoNetwork: true });
  directory = path.join(containerd.directory, 'server');
  kubectl = kubectlOn(server, directory);
  const { invitation } = await startServer(server, [`--data-dir=${directory}`]);
  node = join(machine, containerd, invitation);
  await node.saying('This machine is node');
  await kubectl('wait', '--for=condition=Ready', 'node/node', '--timeout=60s');
}, patienceMs);

afterAll(async () => {
  if (machines === undefined) return;
  await node?.stop();
  await containerd?.stop();
  await machines.stop();
}, patienceMs);

containerTest(
  'pods that are gone leave no mount, interface, namespace, process, control group, rule, file or memory',
  async () => {
    await apply(kubectl, directory, service, policy);
    // The first pods make what stays: chains of the tables, directories of all pods, compiled code.
    await comeAndGo(atOnce);
    await expect.poll(leftOvers, { timeout: 20_000 }).toEqual(nothing);
    const before = traces();
    const heapBefore = await heapBytes();
    const openFiles = (): number => namesIn(`/proc/${node.pid}/fd`).length;
    const openBefore = openFiles();
    console.log(await comeAndGo(podsTotal));
    await expect.poll(leftOvers, { timeout: 20_000 }).toEqual(nothing);
    await expect.poll(traces, { timeout: 20_000 }).toEqual(before);
    const growthBytes = (await heapBytes()) - heapBefore;
    console.log(`${podsTotal} pods, heap ${heapBefore} bytes before, ${growthBytes} more after`);
    await expect.poll(openFiles, { timeout: 20_000 }).toBeLessThanOrEqual(openBefore + openFilesMoreMax);
    expect(growthBytes).toBeLessThan(heapGrowthBytesMax);
  },
  patienceMs,
);

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'come-and-go' },
  spec: { type: 'NodePort', selector: { app: 'come-and-go' }, ports: [{ port: 80, targetPort: 'web' }] },
};

const policy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'come-and-go' },
  spec: {
    podSelector: { matchLabels: { app: 'come-and-go' } },
    ingress: [{ from: [{ podSelector: { matchLabels: { app: 'come-and-go' } } }] }],
  },
};

const script = (name: string): string => path.join(import.meta.dirname, name);

const comeAndGo = (total: number): Promise<string> =>
  server.runFreely(
    {},
    process.execPath,
    script('pods-come-and-go.ts'),
    `${directory}/kubeconfig`,
    machine.name,
    String(total),
    String(atOnce),
  );

const heapBytes = async (): Promise<number> =>
  Number(await machine.runFreely({}, process.execPath, script('heap-size.ts'), String(node.pid)));

const nothing = { podDirectories: [], logDirectories: [], logLinks: [], containers: '', shims: [] };

/** What only pods have. */
function leftOvers(): typeof nothing {
  const { directory: own } = containerd;
  const processes = lines(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }));
  return {
    podDirectories: namesIn(path.join(own, 'node', 'kubelet', 'pods')),
    logDirectories: namesIn(path.join(own, 'pod-logs')),
    logLinks: logLinksInto(own),
    containers: containerd.ctr('containers', 'ls', '-q'),
    shims: processes.filter((line) => line.includes('shim') && line.includes(own)),
  } as typeof nothing;
}

/** What a node has, too, with and without pods. */
function traces() {
  const { directory: own } = containerd;
  return {
    mounts: lines(readFileSync('/proc/self/mounts', 'utf8')).filter((line) => line.includes(`${own}/`)),
    interfaces: lines(machine.run('ip', '-o', 'link', 'show')).length,
    routes: lines(machine.run('ip', 'route', 'show')).length,
    namespaces: namesIn(path.join(own, 'state', 'netns')),
    groups: groupsBelow(`/${path.basename(own)}`),
    rules: withoutCounts(machine.run('nft', 'list', 'ruleset')),
    snapshots: lines(containerd.ctr('snapshots', 'ls')).length,
    // Children that have ended and nobody has asked how.
    zombies: lines(execFileSync('ps', ['-eo', 'ppid,stat', '--no-headers'], { encoding: 'utf8' })).filter(
      (line) => new RegExp(`^ *${node.pid} +Z`).test(line),
    ),
  };
}

const lines = (text: string): readonly string[] => text.split('\n');

const namesIn = (place: string): string[] => (existsSync(place) ? readdirSync(place) : []);

/** The Service stays. Whether it has chains while it has no endpoints depends on when the rules were written last. */
const emptyChain = /\n\n\tchain [^\n]*come-and-go[^\n]* \{\n\t\}/g;

const withoutCounts = (rules: string): readonly string[] =>
  lines(
    rules
      .replaceAll(emptyChain, '')
      .replaceAll(/packets \d+ bytes \d+/g, '')
      .replaceAll(/ expires \S+/g, ''),
  );

const groupsBelow = (cgroup: string): readonly string[] =>
  namesIn('/sys/fs/cgroup').flatMap((controller) => {
    const place = path.join('/sys/fs/cgroup', controller, cgroup);
    return existsSync(place) ? lines(execFileSync('find', [place, '-type', 'd'], { encoding: 'utf8' })) : [];
  });
