/** What the original's kubectl keeps from one object to the next, and from one condition to the next. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Transport } from '@coxswain/client/transport.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runKubectl } from '../run.ts';
import { recordedIo } from '../testing/recorded-io.ts';

const deployment = (name: string, ...ports: object[]) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default', labels: { app: name } },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { spec: { containers: [{ name: 'c', image: 'i', ports }] } },
  },
});
const resource = (name: string, kind: string) => ({
  name,
  singularName: kind.toLowerCase(),
  namespaced: true,
  kind,
  verbs: ['get', 'list', 'watch', 'delete'],
});
const configMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'm', namespace: 'default' },
  data: { a: 'b' },
};
const group = {
  name: 'apps',
  versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
  preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
};
const apps = '/apis/apps/v1/namespaces/default/deployments';
const answers: Readonly<Record<string, unknown>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [group] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [resource('configmaps', 'ConfigMap')],
  },
  '/apis/apps/v1': {
    kind: 'APIResourceList',
    groupVersion: 'apps/v1',
    resources: [resource('deployments', 'Deployment')],
  },
  [`${apps}/bare`]: deployment('bare'),
  [`${apps}/web`]: deployment('web', { containerPort: 80 }),
  [`${apps}/dns`]: deployment('dns', { containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }),
  '/apis/apps/v1/namespaces/default/replicasets': {
    kind: 'ReplicaSetList',
    apiVersion: 'apps/v1',
    metadata: {},
    items: [],
  },
  '/api/v1/namespaces/default/configmaps/m': configMap,
  '/api/v1/namespaces/default/configmaps': {
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '1' },
    items: [configMap],
  },
};

const notFound = (place: string) => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'NotFound',
  message: `no ${place.split('/').at(-1)!.split('?')[0]}`,
  code: 404,
});

const transport: Transport = {
  structured: false,
  address: 'in-process:',
  send: async ({ path }) => {
    const body = answers[path.split('?')[0]!];
    const bytes = new TextEncoder().encode(JSON.stringify(body ?? notFound(path)));
    return {
      status: body === undefined ? 404 : 200,
      headers: { 'content-type': 'application/json' },
      bytes: async () => bytes,
      async *stream() {
        yield bytes;
      },
    };
  },
  close: async () => {},
};

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'kubectl-lists-'));
  const missing = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
  const list = { apiVersion: 'v1', kind: 'List', items: [missing('x'), missing('y')] };
  writeFileSync(path.join(directory, 'list.json'), JSON.stringify(list));
  writeFileSync(path.join(directory, 'z.json'), JSON.stringify(missing('z')));
});
afterAll(() => rmSync(directory, { recursive: true }));

async function kubectl(...args: string[]) {
  const io = recordedIo({ transport, workingDirectory: directory });
  return { code: await runKubectl(args, io), ...io.text };
}

const specs = ['--dry-run=client', '-o', 'jsonpath={.metadata.name} {.spec}{"\\n"}'];

test('services of several objects have the selector and the port of the first that tells them', async () => {
  expect((await kubectl('expose', 'deployment', 'web', 'dns', ...specs)).out).toBe(
    'web {"ports":[{"port":80,"protocol":"TCP","targetPort":80}],"selector":{"app":"web"}}\n' +
      'dns {"ports":[{"port":80,"protocol":"TCP","targetPort":80}],"selector":{"app":"web"}}\n',
  );
});

test('a headless service needs no port', async () => {
  expect((await kubectl('expose', 'deployment', 'bare', '--cluster-ip=None', ...specs)).out).toBe(
    'bare {"clusterIP":"None","selector":{"app":"bare"}}\n',
  );
});

test('a port with two protocols is two ports', async () => {
  expect((await kubectl('expose', 'deployment', 'dns', ...specs)).out).toBe(
    'dns {"ports":[{"name":"port-1-tcp","port":53,"protocol":"TCP","targetPort":53},' +
      '{"name":"port-1-udp","port":53,"protocol":"UDP","targetPort":53}],"selector":{"app":"dns"}}\n',
  );
});

test('each condition that is waited for is told, and --all beside a name says nothing', async () => {
  const { code, out } = await kubectl(
    'wait',
    'configmap/m',
    '--timeout=0',
    '--all',
    '--for=create',
    '--for=jsonpath={.data.a}=b',
  );
  expect([code, out]).toEqual([0, 'configmap/m condition met\nconfigmap/m condition met\n']);
});

test('a boolean for --cascade is understood, and said to be old', async () => {
  const { err } = await kubectl('delete', 'configmap', 'm', '--cascade=false', '--dry-run=server');
  expect(err).toMatch(
    /^warning: --cascade=false is deprecated \(boolean value\) and can be replaced with --cascade=orphan\.\n/,
  );
});

const reported = (...names: string[]) =>
  names.map((name) => `Error from server (NotFound): no ${name}\n`).join('');

test.each([
  ['label -f list.json a=b', reported('x', 'y')],
  ['label -f list.json -f z.json a=b', `[no x, no y]\n${reported('z')}`],
  ['get -f list.json', '[no x, no y]\n'],
  ['get -f list.json -f z.json -o name', reported('x', 'y', 'z')],
  ['rollout pause -f list.json', '[no x, no y]\n'],
  ['describe -f list.json -f list.json -f z.json', reported('x', 'y', 'z')],
  ['apply view-last-applied -f list.json', reported('x', 'y')],
])('what fails of one list is one failure where the original has it so: %s', async (line, expected) => {
  expect((await kubectl(...line.split(' '))).err).toBe(expected);
});

test.each([
  [['configmap/x'], ['timed out waiting for the condition']],
  [
    ['configmap/x', 'configmap/y'],
    ['no x', 'no y'],
  ],
  [['-f', 'z.json'], ['no z']],
])('only a single named object is waited for until it exists: %j', async (words, messages) => {
  const { code, err } = await kubectl('wait', ...words, '--for=create', '--timeout=0');
  expect(code).toBe(1);
  for (const message of messages) expect(err).toContain(message);
});

test('the whole of a namespace that is named has a selector already', async () => {
  const { err } = await kubectl('apply', 'view-last-applied', 'configmaps', '--all', '-n', 'default');
  expect(err).toBe("error: setting 'all' parameter but found a non empty selector. \n");
});

test('a revision that is printed has to exist, also without any history', async () => {
  const printed = await kubectl('rollout', 'history', 'deployment/web', '--revision=7', '-o', 'name');
  expect(printed.err).toBe('error: unable to find the specified revision\n');
});
