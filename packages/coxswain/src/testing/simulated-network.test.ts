/** Commands in simulated containers reach services and pods by name. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCluster } from './create-cluster.ts';
import type { TestCluster } from './test-cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await createCluster({ nodes: 2, seed: 1 });
  await cluster.apply(`
apiVersion: v1
kind: Pod
metadata: {name: server, labels: {app: web}}
spec: {hostname: first, subdomain: peers, containers: [{name: nginx, image: nginx, ports: [{name: http, containerPort: 8080}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}
---
apiVersion: v1
kind: Service
metadata: {name: peers}
spec: {clusterIP: None, selector: {app: web}, ports: [{port: 8080}]}
---
apiVersion: v1
kind: Service
metadata: {name: alias}
spec: {type: ExternalName, externalName: web.default.svc.cluster.local}
---
apiVersion: v1
kind: Service
metadata: {name: empty}
spec: {selector: {app: none}, ports: [{port: 80}]}
`);
  await cluster.idle();
});
afterAll(() => cluster.stop());

const pods = () => cluster.client.resource<Pod & KubeObject>('v1', 'pods').namespace('default');

async function exitCode(name: string, script: string, more: object = {}): Promise<number | undefined> {
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', script] }],
      ...more,
    },
  });
  await cluster.idle();
  const { status } = await pods().get(name);
  return status?.containerStatuses?.[0]?.state?.terminated?.exitCode;
}

test.each([
  ['a service', 'wget -q -O /dev/null http://web', 0],
  ['a service in full', 'wget -q -O /dev/null http://web.default.svc.cluster.local:80/', 0],
  ['an alias', 'curl -s -o /dev/null alias', 0],
  ['an endpoint of a headless service', 'wget -q -O /dev/null first.peers:8080', 0],
  ['a port of a service that is none', 'wget -q -O /dev/null web:81', 1],
  ['a port of a pod that is not declared', 'nc -z first.peers 9090', 1],
  ['a service without endpoints', 'nc -z empty 80', 1],
  ['a name that nobody has', 'nslookup nobody', 1],
])('%s', async (what, script, code) => {
  expect(await exitCode(what.replaceAll(' ', '-'), script)).toBe(code);
});

test('an init container waits for a service as it does in the tutorials', async () => {
  const until = 'until nslookup late.default.svc.cluster.local; do echo waiting; sleep 2; done';
  await exitCode('patient', 'sleep 1', {
    initContainers: [{ name: 'wait', image: 'busybox', command: ['sh', '-c', until] }],
  });
  await cluster.clock.advance('10s');
  expect((await pods().get('patient')).status?.phase).toBe('Pending');
  await cluster.apply(
    'apiVersion: v1\nkind: Service\nmetadata: {name: late}\nspec: {selector: {app: web}, ports: [{port: 80}]}',
  );
  await cluster.clock.advance('10s');
  await cluster.idle();
  expect((await pods().get('patient')).status?.phase).toBe('Succeeded');
});

test('a web server serves the files of its document root, mounted or written', async () => {
  await cluster.apply(`
apiVersion: v1
kind: ConfigMap
metadata: {name: page}
data: {index.html: "hello from a ConfigMap"}
---
apiVersion: v1
kind: Pod
metadata: {name: site, labels: {app: site}}
spec:
  volumes: [{name: page, configMap: {name: page}}, {name: more, emptyDir: {}}]
  containers:
    - name: nginx
      image: nginx:1.29
      volumeMounts: [{name: page, mountPath: /usr/share/nginx/html}, {name: more, mountPath: /usr/share/nginx/html/more}]
    - name: writer
      image: busybox
      command: [sh, -c, 'dd if=/dev/zero of=/more/zeros bs=1k count=3; sleep infinity']
      volumeMounts: [{name: more, mountPath: /more}]
---
apiVersion: v1
kind: Service
metadata: {name: site}
spec: {selector: {app: site}, ports: [{port: 80}]}
`);
  await cluster.idle();
  expect(await exitCode('index', '[ "$(wget -qO- site)" = "hello from a ConfigMap" ]')).toBe(0);
  expect(await exitCode('written', '[ "$(wget -qO- site/more/zeros | wc -c)" = 3072 ]')).toBe(0);
  expect(await exitCode('missing', 'wget -qO- site/nothing')).toBe(1);
  const write = ['-c', 'echo here > /usr/share/nginx/html/here.txt'];
  const hook = { postStart: { exec: { command: ['sh', ...write] } } };
  const spec = { containers: [{ name: 'nginx', image: 'nginx', lifecycle: hook }] };
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'own', labels: { app: 'own' } },
    spec,
  });
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'own' },
    spec: { selector: { app: 'own' }, ports: [{ port: 80 }] },
  });
  await cluster.idle();
  expect(await exitCode('hooked', '[ "$(wget -qO- own/here.txt)" = here ]')).toBe(0);
});
