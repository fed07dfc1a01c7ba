/** Examples of Kubernetes' documentation whose outcome depends on what runs in the containers. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await createCluster({ nodes: 1, seed: 1 });
});
beforeEach(() => cluster.reset());
afterAll(() => cluster.stop());

const pods = () => cluster.client.resource<Pod & KubeObject>('v1', 'pods').namespace('default');

async function start(spec: object): Promise<void> {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
  await cluster.apply(pod as unknown as KubeObject);
  await cluster.clock.advance('5s');
}

const printed = (container = 'c'): Promise<string> => cluster.logs('p', { container });

test('an indexed job takes its input from an array of the shell', async () => {
  await cluster.apply({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'indexed-job' },
    spec: {
      completions: 5,
      parallelism: 3,
      completionMode: 'Indexed',
      template: {
        spec: {
          restartPolicy: 'Never',
          initContainers: [
            {
              name: 'input',
              image: 'docker.io/library/bash',
              command: [
                'bash',
                '-c',
                'items=(foo bar baz qux xyz)\necho ${items[$JOB_COMPLETION_INDEX]} > /input/data.txt\n',
              ],
              volumeMounts: [{ mountPath: '/input', name: 'input' }],
            },
          ],
          containers: [
            {
              name: 'worker',
              image: 'docker.io/library/busybox',
              command: ['rev', '/input/data.txt'],
              volumeMounts: [{ mountPath: '/input', name: 'input' }],
            },
          ],
          volumes: [{ name: 'input', emptyDir: {} }],
        },
      },
    },
  } as unknown as KubeObject);
  await cluster.clock.advance('60s');

  const job = await cluster.client.resource('batch/v1', 'jobs').namespace('default').get('indexed-job');
  expect(job).toMatchObject({ status: { succeeded: 5, completedIndexes: '0-4' } });
  const { items } = await pods().list();
  const logs = items.map(({ metadata }) => cluster.logs(metadata.name!));
  expect((await Promise.all(logs)).map((log) => log.trim()).toSorted()).toEqual(
    ['oof', 'rab', 'zab', 'xuq', 'zyx'].toSorted(),
  );
});

test('processes and files belong to the user and the groups of the security context', async () => {
  const script = 'id; whoami; cd /data; ls -ld demo; echo hello > demo/file; ls -l demo/file; ps';
  await start({
    securityContext: { runAsUser: 1000, runAsGroup: 3000, fsGroup: 2000, supplementalGroups: [4000] },
    volumes: [{ name: 'vol', emptyDir: {} }],
    containers: [
      {
        name: 'c',
        image: 'busybox:1.28',
        command: ['sh', '-c', `${script}; sleep 1h`],
        volumeMounts: [{ name: 'vol', mountPath: '/data/demo' }],
      },
      { name: 'other', image: 'busybox', command: ['id'], securityContext: { runAsUser: 2000 } },
      { name: 'root', image: 'busybox', command: ['id'], securityContext: { runAsUser: 0, runAsGroup: 0 } },
    ],
  });

  const [id, whoami, directory, file, header, main, ps] = (await printed()).split('\n');
  expect(id).toBe('uid=1000 gid=3000 groups=2000,3000,4000');
  expect(whoami).toBe('whoami: unknown uid 1000');
  expect(directory).toMatch(/^drwxrwsrwx {4}2 root {5}2000 .* demo$/);
  expect(file).toMatch(/^-rw-r--r-- {4}1 1000 {5}2000 {13}6 .* demo\/file$/);
  expect(header).toBe('PID   USER     TIME  COMMAND');
  expect(main).toBe(`    1 1000      0:00 sh -c ${script}; sleep 1h`);
  expect(ps).toMatch(/^ +\d+ 1000 {6}0:00 ps$/);
  expect(await printed('other')).toBe('uid=2000 gid=3000 groups=2000,3000,4000\n');
  expect(await printed('root')).toBe('uid=0(root) gid=0(root) groups=0(root),2000,4000\n');
});

test('containers that share their processes see and signal each other', async () => {
  const script = 'ps ax; kill -HUP 2; kill -0 2; echo $?; kill -9 1; echo $?; pidof nginx; kill 2; sleep 1h';
  await start({
    shareProcessNamespace: true,
    containers: [
      { name: 'nginx', image: 'nginx' },
      { name: 'shell', image: 'busybox', command: ['sh', '-c', script] },
    ],
  });

  const lines = (await printed('shell')).split('\n');
  expect(lines.slice(0, 3)).toEqual([
    'PID   USER     TIME  COMMAND',
    '    1 65535     0:00 /pause',
    '    2 root      0:00 nginx: master process nginx -g daemon off;',
  ]);
  expect(lines[3]).toBe(`    3 root      0:00 sh -c ${script}`);
  expect(lines.slice(5)).toEqual(['0', '0', '2', '']);
  const { status } = await pods().get('p');
  const [nginx, shell] = status?.containerStatuses ?? [];
  expect(nginx?.lastState?.terminated ?? nginx?.state?.terminated).toMatchObject({ exitCode: 143 });
  expect(shell).toMatchObject({ restartCount: 0, state: { running: {} } });
});

test.each([
  ['kill -KILL 1', 137],
  ['killall sh', 143],
])('%s ends the main process with %i', async (script, exitCode) => {
  const command = ['sh', '-c', `${script}; sleep 1h`];
  await start({ restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command }] });

  const { status } = await pods().get('p');
  expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode, reason: 'Error' });
});

test('the addresses and ports of the pod are shown, and it answers', async () => {
  const script =
    'hostname -i; ip addr; netstat -tln; ping -c 1 $(hostname -i); ping -c 2 -W 1 10.99.99.99; echo $?; getent hosts kubernetes; ping -c1 -W1 nobody; sleep 1h';
  await start({
    containers: [
      { name: 'c', image: 'busybox', command: ['sh', '-c', `sleep 2; ${script}`] },
      { name: 'web', image: 'nginx' },
    ],
  });
  await cluster.clock.advance('10s');
  const { status } = await pods().get('p');
  const ip = status!.podIP!;

  const text = await printed();
  expect(text).toContain(`${ip}\n`);
  expect(text).toContain(`inet ${ip}/24`);
  expect(text).toMatch(/^tcp +0 +0 0\.0\.0\.0:80 +0\.0\.0\.0:\* +LISTEN/m);
  expect(text).toContain('1 packets transmitted, 1 packets received, 0% packet loss');
  expect(text).toContain('2 packets transmitted, 0 packets received, 100% packet loss\n1\n');
  expect(text).toContain('10.96.0.1       kubernetes.default.svc.cluster.local\n');
  expect(text).toContain("ping: bad address 'nobody'\n");
});

test.each([
  ['a filter without input', ['sort'], 0],
  ['a filter', ['grep', 'root', '/etc/passwd'], 0],
  ['a filter that finds nothing', ['grep', '-q', 'nobody', '/etc/passwd'], 1],
  ['a program that starts another one', ['timeout', '5', 'sleep', '100'], 143],
  ['a program with variables', ['env', 'A=1', 'sh', '-c', '[ "$A" = 1 ]'], 0],
  ['an option that does not exist', ['sort', '-Q'], 2],
])('a container whose command is %s ends like the original', async (_which, command, exitCode) => {
  await start({ restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command }] });
  await cluster.clock.advance('20s');

  const { status } = await pods().get('p');
  expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode });
});

test('what starts an unknown program keeps running like that program', async () => {
  const containers = [{ name: 'c', image: 'app', command: ['timeout', '1h', 'serve', '--port=80'] }];
  await start({ containers });

  const { status } = await pods().get('p');
  expect(status?.containerStatuses?.[0]?.state?.running).toBeDefined();
});
