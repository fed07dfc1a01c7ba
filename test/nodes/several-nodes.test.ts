/** A server and two machines that join it, each with a network and a container runtime of its own. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startContainerd, whyNoContainers, type Containerd } from './containerd.ts';
import { busyboxImage } from './busybox-image.ts';
import {
  apply,
  coxswainOn,
  join,
  kubectlOn,
  nodeFlags,
  startServer,
  token,
  type Kubectl,
} from './cluster-on-machines.ts';
import { startMachines, type Machine, type Machines, type RunningProgram } from './machines.ts';

const why = whyNoContainers();
const containerTest = test.skipIf(why !== undefined);
const patienceMs = 120_000;

let machines: Machines;
let server: Machine;
let invitation: readonly string[];
const nodes: { machine: Machine; containerd: Containerd; program: RunningProgram }[] = [];
let directory: string;
let kubectl: Kubectl;

beforeAll(async () => {
  if (why !== undefined) return;
  machines = startMachines(['server', 'one', 'two']);
  const [first, ...others] = machines.all as readonly [Machine, ...Machine[]];
  server = first;
  const runtimes = await Promise.all(
    others.map(({ namespace }) => startContainerd({ networkNamespace: namespace, hasNoNetwork: true })),
  );
  directory = path.join(runtimes[0]!.directory, 'server');
  kubectl = kubectlOn(server, directory);
  ({ invitation } = await startServer(server, [`--data-dir=${directory}`]));
  for (const [index, machine] of others.entries()) {
    const containerd = runtimes[index]!;
    nodes.push({ machine, containerd, program: join(machine, containerd, invitation) });
  }
  await Promise.all(nodes.map(({ program }) => program.saying('This machine is node')));
  await kubectl('wait', '--for=condition=Ready', 'node/one', 'node/two', '--timeout=60s');
}, patienceMs);

afterAll(async () => {
  if (why !== undefined) return;
  await Promise.all(nodes.map(({ program }) => program.stop()));
  await Promise.all(nodes.map(({ containerd }) => containerd.stop()));
  await machines.stop();
}, patienceMs);

const podOn = (node: string, name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app: 'web' } },
  spec: {
    nodeName: node,
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name: 'c',
        image: busyboxImage,
        imagePullPolicy: 'IfNotPresent',
        command: ['sh', '-c', 'mkdir /www; hostname > /www/index.html; exec httpd -f -p 8080 -h /www'],
      },
    ],
  },
});

const create = (...objects: readonly object[]): Promise<void> => apply(kubectl, directory, ...objects);

containerTest(
  'machines that joined are nodes with certificates of their own, and a range of addresses each',
  async () => {
    const ranges = (await kubectl('get', 'nodes', '-o', 'jsonpath={.items[*].spec.podCIDR}')).split(' ');
    expect(new Set(ranges).size).toBe(2);
    expect(ranges.every((range) => /^10\.244\.\d+\.0\/24$/.test(range))).toBe(true);
    const requests = await kubectl('get', 'csr', '-o', 'jsonpath={.items[*].spec.username}');
    expect(requests).toBe('system:bootstrap:abcdef system:bootstrap:abcdef');
  },
  patienceMs,
);

containerTest(
  'pods of different nodes reach each other under their own addresses; logs and exec reach both',
  async () => {
    await create(podOn('one', 'pod-one'), podOn('two', 'pod-two'));
    await kubectl('wait', '--for=condition=Ready', 'pod/pod-one', 'pod/pod-two', '--timeout=60s');
    const address = await kubectl('get', 'pod', 'pod-two', '-o', 'jsonpath={.status.podIP}');
    expect(await kubectl('exec', 'pod-one', '--', 'wget', '-qO-', `http://${address}:8080/`)).toBe(
      'pod-two\n',
    );
    const own = await kubectl(
      'exec',
      'pod-one',
      '--',
      'sh',
      '-c',
      "ip -o -4 addr show eth0 | awk '{print $4}'",
    );
    const seen = nodes[1]!.machine.run('ip', 'route', 'get', own.split('/')[0]!.trim());
    expect(seen).toContain(`via ${nodes[0]!.machine.address}`);
  },
  patienceMs,
);

containerTest(
  'a Service leads to the pods of both nodes: by its name, its address, and a port of every node',
  async () => {
    await create({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web' },
      spec: {
        type: 'NodePort',
        selector: { app: 'web' },
        ports: [{ port: 80, targetPort: 8080, nodePort: 30_080 }],
      },
    });
    const both = ['pod-one', 'pod-two'];
    const ask = 'for i in 1 2 3 4 5 6 7 8 9 10; do wget -qO- http://web/; done | sort -u';
    for (const pod of both)
      await expect
        .poll(() => kubectl('exec', pod, '--', 'sh', '-c', ask), { timeout: 20_000 })
        .toBe(`${both.join('\n')}\n`);
    const beyond = ask
      .replace('wget', 'busybox wget')
      .replace('//web/', `//${nodes[1]!.machine.address}:30080/`);
    expect(server.run('sh', '-c', beyond)).toBe(`${both.join('\n')}\n`);
    const world = await kubectl('exec', 'pod-one', '--', 'cat', '/etc/resolv.conf');
    expect(world).toContain('nameserver 10.96.0.10');
    expect(world).toContain('search default.svc.cluster.local svc.cluster.local cluster.local');
  },
  patienceMs,
);

containerTest(
  'what the nodes and their pods use is measured on all of them',
  async () => {
    const path = '/apis/metrics.k8s.io/v1beta1';
    const measured = async (what: string) =>
      (
        JSON.parse(await kubectl('get', '--raw', `${path}/${what}`)) as {
          items: { metadata: { name: string } }[];
        }
      ).items
        .map(({ metadata }) => metadata.name)
        .sort();
    await expect.poll(() => measured('nodes'), { timeout: 30_000 }).toEqual(['one', 'two']);
    const pods = (await kubectl('get', 'pods', '-o', 'name')).trim().split('\n');
    const names = pods.map((name) => name.replace('pod/', '')).sort();
    await expect.poll(() => measured('namespaces/default/pods'), { timeout: 30_000 }).toEqual(names);
  },
  patienceMs,
);

containerTest(
  'a node may not touch what is of another node',
  async () => {
    const { machine, containerd } = nodes[0]!;
    const asNode = (...args: readonly string[]): Promise<string> =>
      coxswainOn(machine, 'kubectl', `--kubeconfig=${containerd.directory}/node/kubelet.kubeconfig`, ...args);
    expect(await asNode('auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}')).toBe(
      'system:node:one',
    );
    await expect(asNode('label', 'node', 'two', 'mine=yes')).rejects.toThrow(
      'node "one" is not allowed to modify node "two"',
    );
    await expect(asNode('get', 'secrets', '-A')).rejects.toThrow('forbidden');
  },
  patienceMs,
);

containerTest(
  'who has another token, or was told of another authority, does not join',
  async () => {
    const { machine, containerd } = nodes[0]!;
    const [command = '', , ...rest] = invitation;
    const common = [
      `--container-runtime-endpoint=${containerd.endpoint}`,
      `--data-dir=${directory}/stranger`,
    ];
    const wrongSecret = machine.coxswain(command, 'abcdef.aaaaaaaaaaaaaaaa', ...rest, ...common);
    await wrongSecret.saying('can not trust this API Server');
    const pin = `--discovery-token-ca-cert-hash=sha256:${'0'.repeat(64)}`;
    const wrongAuthority = machine.coxswain(command, token, rest[0]!, pin, ...common);
    await wrongAuthority.saying('none of the public keys');
    await Promise.all([wrongSecret.stop(), wrongAuthority.stop()]);
  },
  patienceMs,
);

containerTest(
  'a machine that starts again needs no token, and finds its pods as they were',
  async () => {
    const restarts = () =>
      kubectl('get', 'pod', 'pod-one', '-o', 'jsonpath={.status.containerStatuses[0].containerID}');
    const before = await restarts();
    const node = nodes[0]!;
    await node.program.stop('SIGKILL');
    node.program = join(node.machine, node.containerd, ['join']);
    await node.program.saying('This machine is node');
    await create(podOn('one', 'pod-late'));
    await kubectl('wait', '--for=condition=Ready', 'pod/pod-late', '--timeout=60s');
    expect(await restarts()).toBe(before);
  },
  patienceMs,
);

containerTest(
  'a node that is cut off is told to be lost, its pods go on, and it comes back as it was',
  async () => {
    const { machine, program } = nodes[1]!;
    machine.plug(false);
    await kubectl('wait', '--for=condition=Ready=Unknown', 'node/two', '--timeout=100s');
    machine.plug(true);
    await kubectl('wait', '--for=condition=Ready', 'node/two', 'pod/pod-two', '--timeout=60s').catch(
      async (error: unknown) => {
        const reported = await kubectl('get', 'node,pod', '-o', 'wide');
        throw new Error(`${reported}\n${machine.run('ss', '-tnpo')}\n${program.said()}`, { cause: error });
      },
    );
    const address = await kubectl('get', 'pod', 'pod-two', '-o', 'jsonpath={.status.podIP}');
    expect(await kubectl('exec', 'pod-one', '--', 'wget', '-qO-', `http://${address}:8080/`)).toBe(
      'pod-two\n',
    );
  },
  2 * patienceMs,
);

containerTest(
  'a machine that leaves keeps nothing of the node that it was',
  async () => {
    const { machine, containerd, program } = nodes[1]!;
    const own = containerd.directory;
    const leave = (): Promise<string> =>
      coxswainOn(machine, 'leave', ...nodeFlags(containerd, path.join(own, 'node')));
    await expect(leave()).rejects.toThrow('this machine is still a node');
    expect(machine.run('nft', 'list', 'tables')).toContain('kube-proxy');
    await program.stop();

    expect((await leave()).split('\n').filter((line) => line !== '' && !line.endsWith(': removed'))).toEqual(
      [],
    );
    expect(machine.run('nft', 'list', 'tables')).toBe('');
    expect(machine.run('ip', 'route', 'show', 'proto', '110')).toBe('');
    expect(containerd.ctr('containers', 'list', '--quiet')).toBe('');
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(path.join(own, 'node'));
    expect(existsSync(path.join(own, 'node'))).toBe(false);
  },
  patienceMs,
);
