/** What containers are given and how they end, seen from inside. */
import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { PodStatus } from '@coxswain/api/core/v1/pod-status.ts';
import { busyboxImage } from './busybox-image.ts';
import { whyNoContainers } from './containerd.ts';
import { startOneRealNode, type OneRealNode } from './one-real-node.ts';
import { isReady, isRunning, scriptPod } from './script-pod.ts';
import { giveInput } from '../give-input.ts';

const why = whyNoContainers();
const containerTest = test.skipIf(why !== undefined);
const patienceMs = 90_000;
const run = promisify(execFile);
let node: OneRealNode;

beforeAll(async () => {
  if (why === undefined) node = await startOneRealNode();
}, patienceMs);
afterAll(async () => {
  await node?.stop();
}, patienceMs);

const program = path.join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');
const environment = () => ({ ...process.env, COXSWAIN_FROM_SOURCE: '1', KUBECONFIG: node.kubeconfig });
const kubectl = async (...args: string[]): Promise<string> =>
  (await run('node', [program, 'kubectl', ...args], { env: environment() })).stdout;

containerTest(
  'a container runs as the user, with the rights and the files that its pod says',
  async () => {
    await node.create(
      scriptPod(
        'secure',
        'exec sleep 1000',
        {
          securityContext: { runAsUser: 1000, runAsGroup: 2000, fsGroup: 3000, supplementalGroups: [4000] },
          volumes: [{ name: 'work', emptyDir: {} }],
          hostname: 'inside',
          subdomain: 'sub',
          hostAliases: [{ ip: '192.0.2.7', hostnames: ['friend'] }],
        },
        {
          securityContext: {
            readOnlyRootFilesystem: true,
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
          },
          volumeMounts: [{ name: 'work', mountPath: '/shared' }],
          workingDir: '/tmp',
        },
      ),
    );
    await node.until('secure', isRunning, 'running');
    const see = async (script: string) => (await node.exec('secure', script)).output.trim();
    expect(await see('id -u; id -g; id -G')).toBe('1000\n2000\n2000 3000 4000');
    expect(await see('pwd; hostname')).toBe('/tmp\ninside');
    expect(await see('touch /x 2>&1')).toContain('Read-only file system');
    expect(await see('touch /shared/x; stat -c "%u %g" /shared/x')).toBe('1000 3000');
    expect(await see('grep -E "CapEff|NoNewPrivs" /proc/self/status')).toMatch(
      /CapEff:\s+0+\s+NoNewPrivs:\s+1/,
    );
    expect(await see('cat /etc/hosts')).toMatch(
      /inside\.sub\.default\.svc\.cluster\.local\s+inside\n[^]*192\.0\.2\.7\s+friend/,
    );
    await node.remove('secure');
  },
  patienceMs,
);

containerTest(
  'root of a pod with users of its own is nobody on the node, and owns the files of its volumes',
  async () => {
    const data = { metadata: { name: 'settings' }, data: { key: 'value' } };
    await node.client.resource('v1', 'configmaps').namespace('default').create(data);
    await node.create(
      scriptPod(
        'apart',
        'touch /scratch/made; exec sleep 1000',
        {
          hostUsers: false,
          volumes: [
            { name: 'scratch', emptyDir: {} },
            { name: 'memory', emptyDir: { medium: 'Memory' } },
            { name: 'settings', configMap: { name: 'settings', defaultMode: 0o400 } },
          ],
        },
        {
          volumeMounts: [
            { name: 'scratch', mountPath: '/scratch' },
            { name: 'memory', mountPath: '/memory' },
            { name: 'settings', mountPath: '/settings' },
          ],
        },
      ),
    );
    const { items } = await node.client.resource<Node & KubeObject>('v1', 'nodes').list();
    if (!items[0]?.status?.runtimeHandlers?.some(({ features }) => features?.userNamespaces)) {
      const refusal = 'does not support user namespaces';
      await expect
        .poll(() => node.events('apart'), { timeout: patienceMs })
        .toContainEqual(expect.stringContaining(refusal));
      return node.remove('apart');
    }
    const { metadata } = await node.until('apart', isRunning, 'running');
    const see = async (script: string) => (await node.exec('apart', script)).output.trim();
    const pod = path.join(node.rootDirectory, 'pods', metadata!.uid!);
    const { uidMappings } = JSON.parse(readFileSync(path.join(pod, 'userns'), 'utf8')) as {
      readonly uidMappings: readonly [{ readonly hostId: number }];
    };
    const [{ hostId }] = uidMappings;
    expect(hostId).toBeGreaterThanOrEqual(65_536);
    expect(hostId % 65_536).toBe(0);
    const map = (await see('cat /proc/self/uid_map /proc/self/gid_map')).split(/\s+/).map(Number);
    expect(map).toEqual([0, hostId, 65_536, 0, hostId, 65_536]);
    expect(await see('id -u; cat /settings/key; stat -c %u /scratch/made /settings/key /etc/hosts')).toBe(
      '0\nvalue0\n0\n0',
    );
    expect(await see('touch /memory/made && stat -c %u /memory/made')).toBe('0');
    expect(await see('cat /var/run/secrets/kubernetes.io/serviceaccount/namespace')).toBe('default');
    const made = path.join(pod, 'volumes/kubernetes.io~empty-dir/scratch/made');
    expect(statSync(made).uid).toBe(0);
    await node.restartKubelet();
    expect(await see('echo again > /scratch/made; cat /scratch/made')).toBe('again');
    await node.remove('apart');
    await expect.poll(() => existsSync(pod), { timeout: patienceMs }).toBe(false);
  },
  patienceMs,
);

containerTest(
  'limits are the kernel’s limits, and change under a running container',
  async () => {
    const resources = { requests: { cpu: '100m', memory: '32Mi' }, limits: { cpu: '500m', memory: '64Mi' } };
    await node.create(scriptPod('limited', 'exec sleep 1000', {}, { resources }));
    const pod = await node.until('limited', isRunning, 'running');
    const id = pod.status?.containerStatuses?.[0]?.containerID?.replace('containerd://', '') ?? '';
    const group = path.join(`${node.cgroup}/kubepods/burstable/pod${pod.metadata?.uid}`, id);
    const limit = () => Number(readLimit(group));
    expect(limit()).toBe(64 * 2 ** 20);
    const change = [{ op: 'replace', path: '/spec/containers/0/resources/limits/memory', value: '96Mi' }];
    await node.client
      .resource('v1', 'pods')
      .namespace('default')
      .patch('limited', change, { type: 'json', subresource: 'resize' });
    const resized = await node.until(
      'limited',
      ({ status }) => memoryOf(status?.containerStatuses?.[0]) === '96Mi',
    );
    expect(limit()).toBe(96 * 2 ** 20);
    expect(resized.status?.containerStatuses?.[0]?.restartCount).toBe(0);
    await node.remove('limited');
  },
  patienceMs,
);

containerTest(
  'the limits of a pod hold for its containers, and change while these run',
  async () => {
    const resources = { requests: { cpu: '100m', memory: '32Mi' }, limits: { memory: '64Mi' } };
    await node.create(scriptPod('bounded', 'exec sleep 1000', { resources }));
    const pod = await node.until('bounded', isRunning, 'running');
    const id = pod.status?.containerStatuses?.[0]?.containerID?.replace('containerd://', '') ?? '';
    const ofPod = `${node.cgroup}/kubepods/burstable/pod${pod.metadata?.uid}`;
    const limits = () => [ofPod, path.join(ofPod, id)].map((group) => Number(readLimit(group)));
    expect(limits()).toEqual([64 * 2 ** 20, 64 * 2 ** 20]);
    await node.client
      .resource('v1', 'pods')
      .namespace('default')
      .patch('bounded', [{ op: 'replace', path: '/spec/resources/limits/memory', value: '96Mi' }], {
        type: 'json',
        subresource: 'resize',
      });
    await node.until('bounded', ({ status }) => memoryOf(status) === '96Mi');
    expect(limits()).toEqual([96 * 2 ** 20, 96 * 2 ** 20]);
    await node.client
      .resource('v1', 'pods')
      .namespace('default')
      .patch('bounded', [{ op: 'add', path: '/spec/resources/limits/cpu', value: '200m' }], {
        type: 'json',
        subresource: 'resize',
      });
    await node.until('bounded', ({ status }) => status?.resources?.limits?.['cpu'] === '200m');
    const quotas = [ofPod, path.join(ofPod, id)].map(readQuota);
    expect(quotas).toEqual(['20000', '20000']);
    await node.remove('bounded');
  },
  patienceMs,
);

const memoryOf = (status: Pick<PodStatus, 'resources'> | undefined): string | undefined =>
  status?.resources?.limits?.['memory'];

/** Whichever version of control groups the machine has. */
function readLimit(group: string): string {
  try {
    return readFileSync(path.join('/sys/fs/cgroup/memory', group, 'memory.limit_in_bytes'), 'utf8');
  } catch {
    return readFileSync(path.join('/sys/fs/cgroup', group, 'memory.max'), 'utf8');
  }
}

containerTest(
  'a container that is to end has its hook run, is asked, and has its time',
  async () => {
    await node.create(
      scriptPod(
        'graceful',
        'trap "echo asked; sleep 1; echo done; exit 0" TERM; echo begun; while true; do sleep 0.1; done',
        {
          terminationGracePeriodSeconds: 10,
          volumes: [{ name: 'out', hostPath: { path: node.containerd.directory } }],
        },
        {
          lifecycle: {
            postStart: { exec: { command: ['sh', '-c', 'echo started > /out/graceful'] } },
            preStop: { exec: { command: ['sh', '-c', 'echo stopping >> /out/graceful'] } },
          },
          volumeMounts: [{ name: 'out', mountPath: '/out' }],
        },
      ),
    );
    await node.until('graceful', isRunning, 'running');
    const following = spawn('node', [program, 'kubectl', 'logs', '-f', 'graceful'], { env: environment() });
    let seen = '';
    const follows = new Promise<void>((resolve) =>
      following.stdout.on('data', (chunk: Buffer) => {
        seen += chunk.toString();
        resolve();
      }),
    );
    const ended = new Promise((resolve) => following.once('exit', resolve));
    await follows;
    await node.remove('graceful', 10);
    await ended;
    expect(seen).toBe('begun\nasked\ndone\n');
    expect(readFileSync(path.join(node.containerd.directory, 'graceful'), 'utf8')).toBe(
      'started\nstopping\n',
    );
  },
  patienceMs,
);

containerTest(
  'streams go both ways: commands with input, and connections to ports of the pod',
  async () => {
    const serve = 'mkdir /www; echo served > /www/index.html; exec httpd -f -p 8080 -h /www';
    await node.create(scriptPod('streams', serve, {}, { ports: [{ containerPort: 8080 }] }));
    await node.until('streams', isReady, 'ready');
    const cat = spawn('node', [program, 'kubectl', 'exec', '-i', 'streams', '--', 'cat'], {
      env: environment(),
    });
    giveInput(cat, 'to and fro\n');
    let answer = '';
    for await (const chunk of cat.stdout) answer += String(chunk);
    expect(answer).toBe('to and fro\n');
    const forward = spawn('node', [program, 'kubectl', 'port-forward', 'streams', ':8080'], {
      env: environment(),
    });
    try {
      const port = await new Promise<string>((resolve) => {
        let said = '';
        forward.stdout.on('data', (chunk: Buffer) => {
          said += chunk.toString();
          const found = /127\.0\.0\.1:(\d+)/.exec(said);
          if (found !== null) resolve(found[1]!);
        });
      });
      expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('served\n');
    } finally {
      forward.kill('SIGINT');
    }
    await node.remove('streams');
  },
  patienceMs,
);

containerTest(
  'a claim of a local volume keeps its files from pod to pod',
  async () => {
    const directory = path.join(node.containerd.directory, 'local');
    mkdirSync(directory);
    chmodSync(directory, 0o777);
    const capacity = { storage: '1Gi' };
    const affinity = {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['real'] }] },
        ],
      },
    };
    const shared = { accessModes: ['ReadWriteOnce'], storageClassName: 'local' };
    await node.client.resource('v1', 'persistentvolumes').create({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'local' },
      spec: { ...shared, capacity, local: { path: directory }, nodeAffinity: affinity },
    } as KubeObject);
    await node.client
      .resource('v1', 'persistentvolumeclaims')
      .namespace('default')
      .create({
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'data' },
        spec: { ...shared, resources: { requests: capacity } },
      } as KubeObject);
    const spec = {
      restartPolicy: 'Never',
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    };
    const mounts = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };
    const done = ({ status }: { status?: { phase?: string } }) => status?.phase === 'Succeeded';
    await node.create(scriptPod('writer', 'echo kept > /data/file', spec, mounts));
    await node.until('writer', done, 'done');
    await node.create(scriptPod('reader', 'cat /data/file', spec, mounts));
    await node.until('reader', done, 'done');
    expect(await node.log('reader')).toBe('kept\n');
    await node.remove('writer');
    await node.remove('reader');
    expect(readFileSync(path.join(directory, 'file'), 'utf8')).toBe('kept\n');
  },
  patienceMs,
);

containerTest(
  'a container can be added to a running pod, and sees the processes of the one that it is for',
  async () => {
    await node.create(scriptPod('debugged', 'exec sleep 4321'));
    await node.until('debugged', isRunning, 'running');
    const added = {
      spec: {
        ephemeralContainers: [
          {
            name: 'debug',
            image: busyboxImage,
            command: ['sh', '-c', 'ps; exec sleep 1000'],
            targetContainerName: 'c',
          },
        ],
      },
    };
    const pods = node.client.resource('v1', 'pods').namespace('default');
    await pods.patch('debugged', added, { type: 'strategic', subresource: 'ephemeralcontainers' });
    await node.until(
      'debugged',
      ({ status }) => Boolean(status?.ephemeralContainerStatuses?.[0]?.state?.running),
      'joined',
    );
    await expect.poll(() => node.log('debugged', 'debug'), { timeout: 10_000 }).toContain('sleep 4321');
    await node.remove('debugged');
  },
  patienceMs,
);

containerTest(
  'a pod whose network is gone gets a new one, and its containers start anew',
  async () => {
    await node.create(scriptPod('unlucky', 'exec sleep 1000'));
    const before = await node.until('unlucky', isRunning, 'running');
    const { cri } = node.kubelet();
    const filter = { labelSelector: [{ key: 'io.kubernetes.pod.uid', value: before.metadata?.uid ?? '' }] };
    const [sandbox] = (await cri.listPodSandbox({ filter })).items;
    await cri.stopPodSandbox({ podSandboxId: sandbox!.id });
    const after = await node.until(
      'unlucky',
      // Twice, if it was started in the old sandbox before that had ended.
      (pod) => isRunning(pod) && [1, 2].includes(pod.status?.containerStatuses?.[0]?.restartCount ?? 0),
      'running again',
    );
    expect(after.status?.podIP).toMatch(/^\d/);
    expect(await node.events('unlucky')).toContain(
      'SandboxChanged: Pod sandbox changed, it will be killed and re-created.',
    );
    expect((await node.events('unlucky')).filter((event) => event.startsWith('BackOff'))).toEqual([]);
    await node.remove('unlucky');
  },
  patienceMs,
);

containerTest(
  'the token of a pod is let in by the API server, as the pod’s account',
  async () => {
    await node.create(scriptPod('account', 'exec sleep 1000'));
    await node.until('account', isRunning, 'running');
    const { output: token } = await node.exec(
      'account',
      'cat /var/run/secrets/kubernetes.io/serviceaccount/token',
    );
    const connection = [
      '--kubeconfig=/dev/null',
      `--server=${node.cluster.address}`,
      '--insecure-skip-tls-verify',
    ];
    const { stdout } = await run(
      'node',
      [program, 'kubectl', ...connection, `--token=${token}`, 'auth', 'whoami', '-ojson'],
      { env: environment() },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      status: {
        userInfo: {
          username: 'system:serviceaccount:default:default',
          extra: { 'authentication.kubernetes.io/pod-name': ['account'] },
        },
      },
    });
    expect(await kubectl('get', 'pod', 'account', '-o', 'name')).toBe('pod/account\n');
    await node.remove('account');
  },
  patienceMs,
);

/** Microseconds of each period of 100 ms. */
function readQuota(group: string): string {
  try {
    return readFileSync(path.join('/sys/fs/cgroup/cpu', group, 'cpu.cfs_quota_us'), 'utf8').trim();
  } catch {
    return readFileSync(path.join('/sys/fs/cgroup', group, 'cpu.max'), 'utf8').split(' ')[0]!;
  }
}
