/** One machine from nothing to workloads behind a Service: `coxswain up --node` as a user has it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { busyboxImage } from './busybox-image.ts';
import { startContainerd, whyNoContainers, type Containerd } from './containerd.ts';
import { apply, kubectlOn, startAllInOne, type Kubectl } from './cluster-on-machines.ts';
import { startMachines, type Machine, type Machines, type RunningProgram } from './machines.ts';

const why = whyNoContainers();
const containerTest = test.skipIf(why !== undefined);
const patienceMs = 120_000;

let machines: Machines;
let machine: Machine;
let containerd: Containerd;
let up: RunningProgram;
let directory: string;
let kubectl: Kubectl;

beforeAll(async () => {
  if (why !== undefined) return;
  machines = startMachines(['only', 'beyond']);
  machine = machines.all[0]!;
  containerd = await startContainerd({ networkNamespace: machine.namespace, hasNoNetwork: true });
  directory = path.join(containerd.directory, 'cluster');
  kubectl = kubectlOn(machine, directory);
  up = await startAllInOne(machine, containerd, directory);
}, patienceMs);

afterAll(async () => {
  if (why !== undefined) return;
  await up.stop();
  await containerd.stop();
  await machines.stop();
}, patienceMs);

const create = (...objects: readonly object[]): Promise<void> => apply(kubectl, directory, ...objects);

const script = (text: string, more: object = {}): object => ({
  name: 'c',
  image: busyboxImage,
  imagePullPolicy: 'IfNotPresent',
  command: ['sh', '-c', text],
  ...more,
});

const workload = (kind: string, name: string, container: object, more: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { terminationGracePeriodSeconds: 5, containers: [container] },
    },
    ...more,
  },
});

const serve = 'mkdir -p /www; echo $V > /www/index.html; exec httpd -f -p 8080 -h /www';

const web = workload(
  'Deployment',
  'web',
  script(serve, {
    env: [{ name: 'V', value: 'first' }],
    readinessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 1 },
    // Whoever still knows the address is answered until everybody has forgotten it.
    lifecycle: { preStop: { exec: { command: ['sleep', '3'] } } },
  }),
  { replicas: 2, strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } },
);

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: {
    type: 'NodePort',
    clusterIP: '10.96.55.55',
    selector: { app: 'web' },
    ports: [{ port: 80, targetPort: 8080, nodePort: 30_081 }],
  },
};

containerTest(
  'a deployment answers over the name, the address and the node port of its Service',
  async () => {
    const load = 'while true; do wget -qO- http://web/ || echo FAILED; sleep 0.05; done';
    await create(web, service, workload('Deployment', 'load', script(load)));
    await kubectl('rollout', 'status', 'deployment/web', 'deployment/load', '--timeout=60s');
    await expect
      .poll(() => kubectl('logs', 'deployment/load', '--tail=3'), { timeout: 20_000 })
      .toContain('first');
    expect(machine.run('busybox', 'wget', '-qO-', 'http://10.96.55.55/')).toBe('first\n');
    const beyond = machines.all[1]!;
    expect(beyond.run('busybox', 'wget', '-qO-', `http://${machine.address}:30081/`)).toBe('first\n');
  },
  patienceMs,
);

containerTest(
  'a rolling update under load fails no request',
  async () => {
    const [pod = ''] = (await kubectl('get', 'pod', '-l', 'app=load', '-o', 'name')).trim().split('\n');
    const since = new Date().toISOString();
    await kubectl('set', 'env', 'deployment/web', 'V=second');
    await kubectl('rollout', 'status', 'deployment/web', '--timeout=60s');
    await expect
      .poll(() => kubectl('get', 'pod', '-l', 'app=web', '-o', 'name'), { timeout: 20_000 })
      .toMatch(/^(pod\/web-\S+\n){2}$/);
    const answers = (await kubectl('logs', pod, `--since-time=${since}`)).trim().split('\n');
    expect([...new Set(answers)].sort()).toEqual(['first', 'second']);
  },
  patienceMs,
);

containerTest(
  'jobs end, cron jobs begin, a daemon is on every node, and a stateful set finds its volume again',
  async () => {
    const once = { spec: { restartPolicy: 'Never', containers: [script('echo done')] } };
    const volume = path.join(containerd.directory, 'volume');
    mkdirSync(volume);
    const isHere = { key: 'kubernetes.io/hostname', operator: 'In', values: [machine.name] };
    const claim = { accessModes: ['ReadWriteOnce'], storageClassName: 'local' };
    await create(
      { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'once' }, spec: { template: once } },
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'often' },
        spec: { schedule: '* * * * *', suspend: true, jobTemplate: { spec: { template: once } } },
      },
      workload('DaemonSet', 'daemon', script('exec sleep 1000')),
      {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'disk' },
        spec: {
          ...claim,
          capacity: { storage: '1Gi' },
          local: { path: volume },
          nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [isHere] }] } },
        },
      },
      workload(
        'StatefulSet',
        'db',
        script('date +%N >> /data/lives; exec sleep 1000', {
          volumeMounts: [{ name: 'data', mountPath: '/data' }],
        }),
        {
          serviceName: 'db',
          volumeClaimTemplates: [
            { metadata: { name: 'data' }, spec: { ...claim, resources: { requests: { storage: '1Gi' } } } },
          ],
        },
      ),
    );
    await kubectl('create', 'job', 'by-hand', '--from=cronjob/often');
    await kubectl('wait', '--for=condition=Complete', 'job/once', 'job/by-hand', '--timeout=60s');
    await kubectl('rollout', 'status', 'daemonset/daemon', 'statefulset/db', '--timeout=60s');
    await kubectl('delete', 'pod', 'db-0', '--grace-period=1');
    await kubectl('wait', '--for=condition=Ready', 'pod/db-0', '--timeout=60s');
    const lives = () => readFileSync(path.join(volume, 'lives'), 'utf8').trim().split('\n').length;
    await expect.poll(lives, { timeout: 20_000 }).toBe(2);
  },
  patienceMs,
);

containerTest(
  'exec, cp and logs -f reach into real containers',
  async () => {
    const file = path.join(directory, 'letter');
    writeFileSync(file, 'from the outside\n');
    await kubectl('cp', file, 'db-0:/tmp/letter');
    expect(await kubectl('exec', 'db-0', '--', 'cat', '/tmp/letter')).toBe('from the outside\n');
    expect(await kubectl('logs', '-f', 'job/once')).toBe('done\n');
  },
  patienceMs,
);

containerTest(
  'a pod reaches the API server by the name of its Service',
  async () => {
    // Busybox speaks no TLS: that the connection is taken is what is asked of it.
    const ask = 'nc -w 5 kubernetes.default.svc 443 < /dev/null && echo taken';
    expect(await kubectl('exec', 'db-0', '--', 'sh', '-c', ask)).toBe('taken\n');
  },
  patienceMs,
);
