/** Objects of files that a selector leaves out, and objects that are replaced by force. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Transport } from '@coxswain/client/transport.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runKubectl } from '../run.ts';
import { recordedIo } from '../testing/recorded-io.ts';

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', namespace: 'elsewhere' } };
const resource = {
  name: 'configmaps',
  singularName: 'configmap',
  namespaced: true,
  kind: 'ConfigMap',
  verbs: [],
};
const answers: Readonly<Record<string, unknown>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources: [resource] },
};
let sent: string[] = [];

const transport: Transport = {
  structured: false,
  address: 'in-process:',
  send: async ({ method, path: target }) => {
    if (method !== 'GET') sent.push(`${method} ${target.split('?')[0]}`);
    const body = method === 'POST' ? configMap : answers[target.split('?')[0]!];
    const bytes = new TextEncoder().encode(
      JSON.stringify(body ?? { kind: 'Status', reason: 'NotFound', code: 404 }),
    );
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
  directory = mkdtempSync(path.join(tmpdir(), 'kubectl-selectors-'));
  writeFileSync(path.join(directory, 'm.json'), JSON.stringify(configMap));
});
afterAll(() => rmSync(directory, { recursive: true }));
beforeEach(() => {
  sent = [];
});

async function kubectl(...args: string[]) {
  const io = recordedIo({ transport, workingDirectory: directory });
  return { code: await runKubectl(args, io), ...io.text };
}

test('the namespace of an object that the selector leaves out is not checked', async () => {
  const { code, out, err } = await kubectl('delete', '-n', 'here', '-f', 'm.json', '-l', 'app=web');
  expect([code, out, err]).toEqual([0, 'No resources found\n', '']);
});

test('the namespace of any other object is checked', async () => {
  const { err } = await kubectl('delete', '-n', 'here', '-f', 'm.json');
  expect(err).toContain(
    'the namespace from the provided object "elsewhere" does not match the namespace "here"',
  );
});

test('an object that is replaced by force is created as a whole, whatever the subresource', async () => {
  const { code } = await kubectl(
    'replace',
    '--force',
    '-f',
    'm.json',
    '--subresource=status',
    '--validate=false',
  );
  expect([code, sent.at(-1)]).toEqual([0, 'POST /api/v1/namespaces/elsewhere/configmaps']);
});
