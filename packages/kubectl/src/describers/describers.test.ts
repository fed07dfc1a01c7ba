import { readFileSync } from 'node:fs';
import type { KubeObject } from '@coxswain/apimachinery';
import { notFound } from '@coxswain/apimachinery/errors.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

test('the text of an object cannot control the terminal', () => {
  const text = new DescriptionText();
  text.field(0, 'Name', 'red \u001b[31m\r');
  expect(text.toString()).toBe('Name:  red ^[[31m\\r\n');
});
