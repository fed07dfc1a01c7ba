/** Uses of kubectl in the shell scripts that upstream tests it with (`test/cmd`). */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Transport } from '@coxswain/client/transport.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runKubectl } from '../run.ts';
import { proxyServer } from '../streams/proxy-server.ts';
import { recordedIo } from '../testing/recorded-io.ts';

const podList = (name: string, next?: string) => ({
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '1', ...(next !== undefined && { continue: next }) },
  items: [{ metadata: { name, namespace: 'default' } }],
});
const answers: Readonly<Record<string, unknown>> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      { name: 'pods', singularName: 'pod', namespaced: true, kind: 'Pod', verbs: ['get'] },
      { name: 'nodes', singularName: 'node', namespaced: false, kind: 'Node', verbs: ['get'] },
    ],
  },
  '/api/v1/nodes/n': {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n' },
    spec: { unschedulable: true },
  },
  '/api/v1/pods': podList('silent'),
  '/api/v1/namespaces/default/pods/silent': {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'silent', namespace: 'default', deletionTimestamp: '1970-01-01T00:00:00Z' },
  },
  '/api/v1/namespaces/default/pods?limit=1': podList('a', 'more'),
  '/api/v1/namespaces/default/pods?continue=more&limit=1': podList('b'),
};
const asked: string[] = [];
const transport: Transport = {
  structured: false,
  address: 'in-process:',
  send: async ({ path: target }) => {
    asked.push(target);
    const isWatch = target.includes('watch=true');
    const answer = answers[target] ?? answers[target.split('?')[0]!] ?? {};
    const bytes = new TextEncoder().encode(isWatch ? '' : JSON.stringify(answer));
    return {
      status: 200,
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
  directory = mkdtempSync(path.join(tmpdir(), 'kubectl-scripted-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

async function kubectl(stdin: string, ...args: string[]) {
  const io = recordedIo({ transport, workingDirectory: directory, stdin: async () => stdin });
  return { code: await runKubectl(args, io), ...io.text };
}

const pod = (name: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {containers: [{name: c, image: i}]}\n`;

test('exec takes one pod of a file', async () => {
  const { err } = await kubectl(`${pod('a')}---\n${pod('b')}`, 'exec', '-f', '-', '--', 'date');
  expect(err).toBe('error: cannot exec into multiple objects at a time\n');
});

test('a watch of several objects of a file is refused', async () => {
  const { code, err } = await kubectl(`${pod('a')}---\n${pod('b')}`, 'get', '-f', '-', '--watch');
  const refusal = 'error: watch is only supported on individual resources and resource collections';
  expect([code, err]).toEqual([1, `${refusal} - 2 resources were found\n`]);
  const list = '{"apiVersion":"v1","kind":"List","items":[]}';
  const listed = await kubectl(list, 'get', '-f', '-', '--watch');
  expect(listed.err).toBe(`${refusal}, but a list of resources is found\n`);
});

test('a collection is watched, however many parts its list has', async () => {
  const { code, out } = await kubectl('', 'get', 'pods', '--watch', '--chunk-size=1', '-o', 'name');
  expect([code, out]).toEqual([0, 'pod/a\npod/b\n']);
  expect(asked.at(-1)).toContain('watch=true');
});

test('drain skips pods that should have ended', async () => {
  const args = ['drain', 'n', '--force', '--skip-wait-for-delete-timeout=1'];
  const { code, out } = await kubectl('', ...args);
  expect(code).toBe(0);
  expect(out).toContain('pod "silent" has DeletionTimestamp older than 1 seconds, skipping\n');
  expect(asked).toContain('/api/v1/pods?fieldSelector=spec.nodeName%3Dn&limit=500');
});

test.each(['cordon', 'drain'])('%s with an empty selector selects nothing', async (command) => {
  const { code, err } = await kubectl('', command, '--selector=');
  expect(code).toBe(1);
  expect(err).toContain('You must provide one or more resources by argument or filename');
});

test('standard input is either the object or its variables', async () => {
  const { err } = await kubectl('A=b', 'set', 'env', '-f', '-', '-');
  expect(err).toBe('error: standard input cannot be used for multiple arguments\n');
});

test('base64 may have line breaks, as the program base64 writes it', async () => {
  const data = 'clusters.local.certificate-authority-data';
  const config = `--kubeconfig=${path.join(directory, 'config')}`;
  expect((await kubectl('', 'config', 'set', data, 'Y294\nc3dhaW4=\n', config)).code).toBe(0);
  expect(readFileSync(path.join(directory, 'config'), 'utf8')).toContain(
    'certificate-authority-data: Y294c3dhaW4=\n',
  );
  const { err } = await kubectl('', 'config', 'set', data, 'Y294*', config);
  expect(err).toBe('error: error decoding input value: illegal base64 data at input byte 4\n');
});

test('a proxy leads to clean paths', async () => {
  const server = proxyServer({
    transport,
    filter: undefined,
    apiPrefix: '/custom/',
    staticPrefix: '/static/',
    staticDirectory: directory,
    log: () => undefined,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const get = async (target: string) => {
    const sent = request({ host: '127.0.0.1', port, path: target, agent: false }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return [answer.statusCode, answer.headers.location, await text(answer)];
  };
  const moved = (place: string) => [307, place, `<a href="${place}">Temporary Redirect</a>.\n\n`];
  expect(await get('//custom/healthz')).toEqual(moved('/custom/healthz'));
  expect(await get('/custom')).toEqual(moved('/custom/'));
  expect(await get('/custom/a/../api?x=y')).toEqual(moved('/custom/api?x=y'));
  expect(await get('/static')).toEqual(moved('/static/'));
  expect((await get('/custom/%2e%2e/api'))[0]).toBe(200);
  expect(asked.at(-1)).toBe('/%2e%2e/api');
  server.close();
});
