import { readFileSync } from 'node:fs';
import { groupVersionDirectories, kindsOf } from '@coxswain/api';
import type { KubeObject } from '@coxswain/apimachinery';
import { notFound } from '@coxswain/apimachinery/errors.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { randomObject } from '../../../api/test/random-object.ts';
import type { DescribeContext } from './describer.ts';
import { describerFor } from './registry.ts';
import { DescriptionText } from './text.ts';

interface Described {
  readonly related: Readonly<Record<string, unknown>>;
  readonly cases: readonly { readonly object: KubeObject; readonly text: string }[];
}

/** Objects from a server, with kubectl 1.36.3's description of each. */
const { related, cases } = JSON.parse(
  readFileSync(new URL('testdata/described.json', import.meta.url), 'utf8'),
) as Described;

const context: DescribeContext = {
  nowMs: Date.parse('2026-11-21T01:00:00Z'),
  showEvents: true,
  async list<T extends KubeObject>(path: string, query: Readonly<Record<string, string>> = {}) {
    const selector = query['labelSelector'] ?? 'kubernetes.io/service-name=web';
    return selector.endsWith('=web') ? ((related[path] ?? []) as T[]) : [];
  },
  async get<T extends KubeObject>(path: string) {
    if (related[path] === undefined) {
      throw notFound({ group: '', resource: 'services' }, path.split('/').at(-1) ?? '');
    }
    return related[path] as T;
  },
  events: async () => [],
};

beforeEach(() => vi.stubEnv('TZ', 'UTC'));
afterEach(() => vi.unstubAllEnvs());

describe('an object is described as kubectl 1.36 does', () => {
  test.each(
    cases.map(({ object, text }) => [`${object.kind} ${object.metadata.name}`, object, text] as const),
  )('%s', async (_, object, text) => {
    const group = object.apiVersion?.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : '';
    const describer = await describerFor(group, object.kind ?? '');
    expect(await describer(object, context)).toBe(text);
  });
});

test.each([
  ['apps', 'DaemonSet', 'Containers: <none>'],
  ['apps', 'ReplicaSet', 'Containers: <none>'],
  ['', 'ReplicationController', '<unset>'],
])('only a replication controller has no pod template at all: %s %s', async (group, kind, expected) => {
  const object = { apiVersion: group === '' ? 'v1' : 'apps/v1', kind, metadata: { name: 'a' }, spec: {} };
  const text = await (await describerFor(group, kind))(object as KubeObject, context);
  expect(text.replace(/ +/g, ' ')).toMatch(new RegExp(`Pod Template:\\n[^]*${expected}`));
});

describe('fields that an object lacks are described with the zero values of their types', () => {
  const kinds = groupVersionDirectories.flatMap(kindsOf).filter(({ names }) => names !== undefined);
  test.each(kinds.map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind] as const))(
    '%s',
    async (_, kind) => {
      const describer = await describerFor(kind.apiVersion.split('/').at(-2) ?? '', kind.kind);
      for (let seed = 1; seed <= 6; seed++) {
        const object = { ...randomObject(kind, seed), metadata: { name: 'a', namespace: 'default' } };
        const text = await describer(object as KubeObject, context).catch(messageOf);
        expect(text).not.toMatch(/\bundefined\b|\bNaN\b|\[object|of undefined/);
      }
    },
  );
});

test('a class of volumes is described with its topologies, a probe with its escaped URL', async () => {
  const storageClass = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'a' },
    allowedTopologies: [
      { matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }, { key: 'rack' }] },
      {},
    ],
  };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: {
      containers: [{ name: 'c', livenessProbe: { httpGet: { path: 'up?x y', port: 80, scheme: 'HTTP' } } }],
    },
  };
  const described = async (group: string, object: KubeObject) =>
    (await (await describerFor(group, object.kind!))(object, context)).replace(/ +/g, ' ');

  expect(await described('storage.k8s.io', storageClass)).toContain(
    'AllowedTopologies: \n Term 0: zone in [a, b]\n rack in\n Term 1: <none>\n',
  );
  expect(await described('', pod)).toContain('Liveness: http-get http://:80/up%3Fx%20y delay');
});

test('pods of a node count with sidecars, overhead, pod-level resources and resizes in progress', async () => {
  const asking = (cpu: string, more: object = {}) => ({
    name: 'c',
    resources: { requests: { cpu } },
    ...more,
  });
  const pods = [
    { spec: { containers: [asking('1')], initContainers: [asking('2', { restartPolicy: 'Always' })] } },
    { spec: { containers: [asking('1')], overhead: { cpu: '500m' } } },
    { spec: { containers: [asking('1')], resources: { requests: { cpu: '4' } } } },
    {
      spec: { containers: [asking('1')] },
      status: { containerStatuses: [{ name: 'c', resources: {}, allocatedResources: { cpu: '3' } }] },
    },
  ].map(
    (pod, at) => ({ metadata: { name: `p${at}`, namespace: 'default' }, ...pod }) as unknown as KubeObject,
  );
  const node = { metadata: { name: 'n', uid: 'u' }, status: { allocatable: { cpu: '10' } } };
  const asked: (string | undefined)[] = [];
  const text = await (
    await describerFor('', 'Node')
  )({ apiVersion: 'v1', kind: 'Node', ...node } as KubeObject, {
    ...context,
    list: async <T extends KubeObject>() => pods as T[],
    events: async (_, query) => (asked.push(query?.uid), []),
  });

  expect([...text.matchAll(/default +p\d +(\S+ \S+)/g)].map(([, share]) => share)).toEqual([
    '3 (30%)',
    '1500m (15%)',
    '4 (40%)',
    '3 (30%)',
  ]);
  // As upstream, the sum counts what containers ask for.
  expect(text).toMatch(/\n +cpu +9500m \(95%\)/);
  // Of its uid, and of its name, by which kubelets refer to it.
  expect(asked).toEqual([undefined, 'n']);
});

test('an invalid selector is refused, named or passed over, by kind', async () => {
  const spec = { selector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } };
  const described = async (apiVersion: string, kind: string) => {
    const object = { apiVersion, kind, metadata: { name: 'a', namespace: 'default' }, spec } as KubeObject;
    return (await describerFor(apiVersion.split('/')[0]!, kind))(object, context);
  };

  await expect(described('apps/v1', 'Deployment')).rejects.toThrow(
    '"Like" is not a valid label selector operator',
  );
  expect(await described('batch/v1', 'Job')).toContain('Failed to get selector: "Like" is not');
  expect(await described('policy/v1', 'PodDisruptionBudget')).toMatch(/Selector: +<error>/);
});

test('the text of an object cannot control the terminal', () => {
  const text = new DescriptionText();
  text.field(0, 'Name', 'red \u001b[31m\r');
  expect(text.toString()).toBe('Name:  red ^[[31m\\r\n');
});
