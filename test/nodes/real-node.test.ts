/** Pods in real containers, where containerd is installed. */
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { whyNoContainers } from './containerd.ts';
import { nodeName, startOneRealNode, type OneRealNode } from './one-real-node.ts';
import { isReady, isRunning, scriptPod } from './script-pod.ts';

const why = whyNoContainers();
const containerTest = test.skipIf(why !== undefined);
const patienceMs = 90_000;
const soon = { timeout: 10_000 };
const run = promisify(execFile);
let node: OneRealNode;

beforeAll(async () => {
  if (why === undefined) node = await startOneRealNode();
}, patienceMs);
afterEach(() => node?.clear(), patienceMs);
afterAll(async () => {
  await node?.stop();
}, patienceMs);

containerTest(
  'a pod runs, logs, executes commands with their exit codes, and is gone without a trace',
  async () => {
    await node.create(scriptPod('plain', 'echo hello; echo trouble >&2; exec sleep 1000'));
    const pod = await node.until('plain', isRunning, 'running');
    expect(pod.status).toMatchObject({
      phase: 'Running',
      hostIP: expect.stringMatching(/^\d+\./),
      qosClass: 'BestEffort',
      containerStatuses: [{ name: 'c', ready: true, started: true, restartCount: 0 }],
    });
    expect(pod.status?.containerStatuses?.[0]?.containerID).toMatch(/^containerd:\/\/[0-9a-f]{64}$/);
    // A container runs before its program has said anything.
    await expect
      .poll(async () => (await node.log('plain')).split('\n').sort(), soon)
      .toEqual(['', 'hello', 'trouble']);
    expect(await node.exec('plain', 'hostname; exit 3')).toEqual({ code: 3, output: 'plain\n' });
    await node.remove('plain');
    expect(node.containerd.ctr('tasks', 'ls', '-q')).toBe('');
  },
  patienceMs,
);

containerTest(
  'a container that ends starts again, and waits longer each time; its last words are told',
  async () => {
    await node.create(scriptPod('crash', 'echo the end > /dev/termination-log; exit 7'));
    const pod = await node.until(
      'crash',
      ({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason === 'CrashLoopBackOff',
      'in back-off',
    );
    expect(pod.status?.containerStatuses?.[0]).toMatchObject({
      restartCount: 1,
      lastState: { terminated: { exitCode: 7, reason: 'Error', message: 'the end\n' } },
    });
    await node.remove('crash');
  },
  patienceMs,
);

containerTest(
  'a container that uses more memory than its limit is told to be killed for it',
  async () => {
    const greedy = 'x=$(head -c 100000000 /dev/zero | tr "\\0" x); echo done';
    await node.create(
      scriptPod('greedy', greedy, { restartPolicy: 'Never' }, { resources: { limits: { memory: '20Mi' } } }),
    );
    const pod = await node.until('greedy', ({ status }) => status?.phase === 'Failed', 'failed');
    expect(pod.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      reason: 'OOMKilled',
      exitCode: 137,
    });
    await node.remove('greedy');
  },
  patienceMs,
);

containerTest(
  'init containers end one by one before a sidecar starts, and the sidecar before what needs it',
  async () => {
    const shared = { volumeMounts: [{ name: 'work', mountPath: '/shared' }] };
    const init = (name: string, script: string, more: object = {}) => ({
      ...(scriptPod('', script, {}, { name, ...shared, ...more }) as { spec: { containers: object[] } }).spec
        .containers[0],
    });
    await node.create(
      scriptPod(
        'ordered',
        'cat /shared/order; exec sleep 1000',
        {
          volumes: [{ name: 'work', emptyDir: {} }],
          initContainers: [
            init('one', 'echo one >> /shared/order'),
            init('two', 'echo two >> /shared/order'),
            init('side', 'sleep 0.5; echo side >> /shared/order; exec sleep 1000', {
              restartPolicy: 'Always',
              startupProbe: { exec: { command: ['grep', 'side', '/shared/order'] }, periodSeconds: 1 },
            }),
          ],
        },
        shared,
      ),
    );
    const pod = await node.until('ordered', isReady, 'ready');
    expect(pod.status?.initContainerStatuses?.map(({ name, ready }) => [name, ready])).toEqual([
      ['one', true],
      ['two', true],
      ['side', true],
    ]);
    await expect.poll(() => node.log('ordered'), soon).toBe('one\ntwo\nside\n');
    await node.remove('ordered');
  },
  patienceMs,
);

containerTest(
  'a ConfigMap in a volume changes under the container, and a part of it that is mounted alone does not',
  async () => {
    const maps = node.client.resource('v1', 'configmaps').namespace('default');
    const map = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings' },
      data: { colour: 'red' },
    };
    await maps.create(map);
    await node.create(
      scriptPod(
        'mapped',
        'exec sleep 1000',
        { volumes: [{ name: 'settings', configMap: { name: 'settings' } }] },
        {
          volumeMounts: [
            { name: 'settings', mountPath: '/all' },
            { name: 'settings', mountPath: '/one', subPath: 'colour' },
          ],
        },
      ),
    );
    await node.until('mapped', isRunning, 'running');
    await maps.update({ ...(await maps.get('settings')), data: { colour: 'blue' } } as never);
    await expect
      .poll(async () => (await node.exec('mapped', 'cat /all/colour /one')).output, soon)
      .toBe('bluered');
    await node.remove('mapped');
  },
  patienceMs,
);

containerTest(
  'a pod waits for a ConfigMap that is not there yet, and says so',
  async () => {
    await node.create(
      scriptPod(
        'early',
        'exec sleep 1000',
        { volumes: [{ name: 'v', configMap: { name: 'late' } }] },
        {
          volumeMounts: [{ name: 'v', mountPath: '/v' }],
        },
      ),
    );
    await expect
      .poll(() => node.events('early'), soon)
      .toContain('FailedMount: MountVolume.SetUp failed for volume "v" : configmap "late" not found');
    const late = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late' }, data: {} };
    await node.client.resource('v1', 'configmaps').namespace('default').create(late);
    await node.until('early', isRunning, 'running');
    await node.remove('early');
  },
  patienceMs,
);

containerTest(
  'probes of all kinds ask the pod over its own address',
  async () => {
    await node.create(
      scriptPod(
        'probed',
        'mkdir -p /www; echo ok > /www/index.html; httpd -p 8080 -h /www; touch /tmp/live; exec sleep 1000',
        {},
        {
          ports: [{ name: 'web', containerPort: 8080 }],
          startupProbe: { tcpSocket: { port: 'web' }, periodSeconds: 1 },
          readinessProbe: { httpGet: { path: '/', port: 'web' }, periodSeconds: 1 },
          livenessProbe: { exec: { command: ['cat', '/tmp/live'] }, periodSeconds: 1, failureThreshold: 1 },
        },
      ),
    );
    await node.until('probed', isReady, 'ready');
    await node.exec('probed', 'rm /www/index.html');
    await node.until('probed', (pod) => !isReady(pod), 'unready');
    expect(await node.events('probed')).toContain(
      'Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 404',
    );
    await node.exec('probed', 'rm /tmp/live');
    await node.until(
      'probed',
      ({ status }) => status?.containerStatuses?.[0]?.restartCount === 1,
      'restarted',
    );
    await node.remove('probed');
  },
  patienceMs,
);

containerTest(
  'an image that is not there is not pulled when the policy says never',
  async () => {
    await node.create(
      scriptPod('absent', 'true', {}, { image: 'nowhere.invalid/none:1', imagePullPolicy: 'Never' }),
    );
    const pod = await node.until(
      'absent',
      ({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason === 'ErrImageNeverPull',
      'refused',
    );
    expect(pod.status?.containerStatuses?.[0]?.state?.waiting?.message).toBe(
      'Container image "nowhere.invalid/none:1" is not present with pull policy of Never',
    );
    await node.remove('absent');
  },
  patienceMs,
);

containerTest(
  'a program that is not in the image makes the container wait, with what the runtime said',
  async () => {
    await node.create(scriptPod('wrong', '', {}, { command: ['/no/such/program'] }));
    const pod = await node.until(
      'wrong',
      ({ status }) => (status?.containerStatuses?.[0]?.restartCount ?? 0) > 0,
      'tried twice',
    );
    const status = pod.status?.containerStatuses?.[0];
    expect(status?.lastState?.terminated).toMatchObject({ reason: 'StartError', exitCode: 128 });
    expect(status?.lastState?.terminated?.message).toContain('/no/such/program');
    await node.remove('wrong');
  },
  patienceMs,
);

containerTest(
  'a kubelet that starts again takes over what runs, and touches nothing',
  async () => {
    await node.create(scriptPod('steady', 'exec sleep 1000'));
    const before = await node.until('steady', isRunning, 'running');
    await node.restartKubelet();
    await node.create(scriptPod('next', 'exec sleep 1000'));
    await node.until('next', isRunning, 'running');
    const after = await node.until('steady', isRunning, 'running');
    expect(after.status?.containerStatuses).toEqual(before.status?.containerStatuses);
    expect((await node.exec('steady', 'echo still')).output).toBe('still\n');
    await node.remove('steady');
    await node.remove('next');
  },
  patienceMs,
);

containerTest(
  'pods that were deleted while the kubelet was away are stopped when it comes back',
  async () => {
    await node.create(scriptPod('orphan', 'exec sleep 1000'));
    await node.until('orphan', isRunning, 'running');
    await node.stopKubelet();
    const pods = node.client.resource('v1', 'pods').namespace('default');
    await pods.delete('orphan', { gracePeriodSeconds: 0 });
    await node.restartKubelet();
    await expect.poll(() => node.containerd.ctr('tasks', 'ls', '-q'), soon).toBe('');
  },
  patienceMs,
);

containerTest(
  'kubectl reads logs and runs commands through the API server and the port of the kubelet',
  async () => {
    const kubectl = async (...args: string[]) => {
      const program = path.join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');
      const env = { ...process.env, COXSWAIN_FROM_SOURCE: '1', KUBECONFIG: node.kubeconfig };
      const { stdout } = await run('node', [program, 'kubectl', ...args], { env });
      return stdout;
    };
    await node.create(scriptPod('reached', 'echo from inside; exec sleep 1000'));
    await node.until('reached', isRunning, 'running');
    await expect.poll(() => kubectl('logs', 'reached'), soon).toBe('from inside\n');
    expect(await kubectl('exec', 'reached', '--', 'cat', '/etc/hostname')).toBe('reached\n');
    const summary = JSON.parse(
      await kubectl('get', '--raw', `/api/v1/nodes/${nodeName}/proxy/stats/summary`),
    ) as {
      readonly pods: readonly { readonly podRef: { readonly name: string } }[];
    };
    expect(summary.pods.map(({ podRef }) => podRef.name)).toContain('reached');
    await node.remove('reached');
  },
  patienceMs,
);

containerTest(
  'a pod of a file runs, is mirrored in the API, and ends with its file',
  async () => {
    const directory = path.join(node.rootDirectory, 'manifests');
    const manifest = path.join(directory, 'still.json');
    const given = scriptPod('still', 'exec sleep 1000', {
      enableServiceLinks: false,
      automountServiceAccountToken: false,
    });
    writeFileSync(manifest, JSON.stringify(given));
    const pod = await node.until(`still-${nodeName}`, isRunning, 'running');
    expect(pod.metadata?.annotations).toMatchObject({ 'kubernetes.io/config.source': 'file' });
    expect(pod.metadata?.ownerReferences).toMatchObject([{ kind: 'Node', name: nodeName }]);
    const pods = node.client.resource('v1', 'pods').namespace('default');
    await pods.delete(`still-${nodeName}`, { gracePeriodSeconds: 0 });
    const again = await node.until(`still-${nodeName}`, isRunning, 'mirrored again');
    expect(again.metadata?.uid).not.toBe(pod.metadata?.uid);
    expect(again.status?.containerStatuses?.[0]?.containerID).toBe(
      pod.status?.containerStatuses?.[0]?.containerID,
    );
    rmSync(manifest);
    await expect
      .poll(() => pods.get(`still-${nodeName}`).catch(() => undefined), { timeout: 15_000 })
      .toBe(undefined);
    await expect.poll(() => node.containerd.ctr('tasks', 'ls', '-q'), soon).toBe('');
  },
  patienceMs,
);
