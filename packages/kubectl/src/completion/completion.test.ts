import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client';
import { expect, test } from 'vitest';
import { runKubectl } from '../run.ts';
import { recordedIo } from '../testing/recorded-io.ts';

const answers: Readonly<Record<string, unknown>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      {
        name: 'namespaces',
        singularName: 'namespace',
        namespaced: false,
        kind: 'Namespace',
        verbs: ['list'],
      },
    ],
  },
  '/api/v1/namespaces': {
    kind: 'NamespaceList',
    apiVersion: 'v1',
    metadata: {},
    items: [{ metadata: { name: 'default' } }, { metadata: { name: 'team' } }],
  },
};

const transport: Transport = {
  structured: false,
  address: 'in-process:',
  async send({ path }: TransportRequest): Promise<TransportResponse> {
    const body = answers[new URL(path, 'http://fake').pathname];
    const bytes = new TextEncoder().encode(JSON.stringify(body ?? { kind: 'Status', code: 404 }));
    return {
      status: body === undefined ? 404 : 200,
      headers: { 'content-type': 'application/json' },
      bytes: async () => bytes,
      async *stream() {
        yield bytes;
      },
    };
  },
  async close() {},
};

async function proposed(...words: string[]): Promise<string[]> {
  const io = recordedIo({ transport });
  await runKubectl(['__completeNoDesc', ...words], io);
  return io.text.out.split('\n').slice(0, -2);
}

test.each([
  [['get', '-n', '']],
  [['get', 'pods', '-n', '']],
  [['get', 'pods', 'web', '--namespace', '']],
  [['cp', 'a', 'b', '--namespace', '']],
])('a namespace is proposed wherever it is asked for: %j', async (words) => {
  expect(await proposed(...words)).toEqual(['default', 'team']);
});

test('one that is begun is completed behind its equals sign', async () => {
  expect(await proposed('get', 'pods', '--namespace=te')).toEqual(['team']);
});
