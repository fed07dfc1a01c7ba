/** A marked secret and marked credentials, used over real connections, never appear in any output. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { systemClock } from '@coxswain/apimachinery';
import { recordedIo } from '@coxswain/cobra';
import { runKubectl } from '@coxswain/kubectl';
import { recordedIo as kubectlIo } from '@coxswain/kubectl/testing/recorded-io.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clusterCertificates } from '../certificates/certificates.ts';
import { startCluster, type Cluster } from './cluster.ts';
import { runCoxswain } from '../commands/root.ts';
import { writeKubeconfig } from '../local/kubeconfig.ts';
import type { ProgramIo } from '../program/program-io.ts';

const mark = 'm4rk-of-a-secret';
const marks = [
  mark,
  Buffer.from(mark).toString('base64'),
  'm4rk-again',
  Buffer.from('m4rk-again').toString('base64'),
];

const directory = mkdtempSync(path.join(tmpdir(), 'coxswain-secrets-'));
const file = (name: string) => path.join(directory, name);
const storageDirectory = file('storage');
let cluster: Cluster;
let log = '';

const secret = (password: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'marked', namespace: 'default', labels: { app: 'web' } },
  stringData: { password },
  ...more,
});

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    containers: [
      {
        name: 'web',
        image: 'web',
        envFrom: [{ secretRef: { name: 'marked' } }],
        volumeMounts: [{ name: 'secret', mountPath: '/secret' }],
      },
    ],
    volumes: [{ name: 'secret', secret: { secretName: 'marked' } }],
  },
};

const manifests: Readonly<Record<string, unknown>> = {
  'secret.json': secret(mark),
  'changed.json': secret('m4rk-again'),
  'data.json': secret('', {
    stringData: undefined,
    data: { password: Buffer.from(mark).toString('base64') },
  }),
  'type.json': secret(mark, { type: 'kubernetes.io/tls' }),
  'key.json': secret('', { stringData: { 'no key!': mark } }),
  'base64.json': secret('', { stringData: undefined, data: { password: `${mark}!` } }),
  'created.json': secret(mark, { metadata: { name: 'created', namespace: 'default' } }),
  'pod.json': pod,
  'map.json': { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map', namespace: 'default' } },
};

const badKubeconfig = (user: object, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    { name: 'c', cluster: { server: 'https://127.0.0.1:1', 'insecure-skip-tls-verify': true, ...more } },
  ],
  users: [{ name: 'u', user }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  'current-context': 'x',
});

beforeAll(async () => {
  const certificates = await clusterCertificates(directory, {
    clock: systemClock,
    serviceAddress: '10.96.0.1',
  });
  for (const [name, object] of Object.entries(manifests)) writeFileSync(file(name), JSON.stringify(object));
  cluster = await startCluster({
    port: 0,
    nodes: 1,
    storageDirectory,
    certificates: {
      ...certificates,
      rootCertificateAuthority: readFileSync(certificates.caCertFile, 'utf8'),
    },
    log: (line) => (log += `${line}\n`),
  });
  await writeKubeconfig(file('kubeconfig'), cluster.address!, certificates);
  const server = cluster.address;
  const configs = {
    token: badKubeconfig({ token: mark }, { server }),
    basic: badKubeconfig({ username: 'admin', password: mark }, { server }),
    proxy: badKubeconfig({}, { 'proxy-url': `http://admin:${mark}@127.0.0.1:1` }),
    'unreadable-proxy': badKubeconfig({}, { 'proxy-url': `http://admin:${mark}@127.0.0.1:none` }),
    'unknown-proxy': badKubeconfig({}, { 'proxy-url': `gopher://admin:${mark}@127.0.0.1:1` }),
    key: badKubeconfig({ 'client-key-data': marks[1], 'client-certificate-data': marks[1] }),
  };
  for (const [name, config] of Object.entries(configs)) writeFileSync(file(name), JSON.stringify(config));
  await kubectl('create secret generic created --from-literal=password=m4rk-again');
  await kubectl(`apply -f ${file('secret.json')}`);
  await kubectl(`apply -f ${file('changed.json')} -f ${file('pod.json')} -f ${file('map.json')}`);
}, 60_000);

afterAll(async () => {
  await cluster?.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function kubectl(line: string): Promise<string> {
  const io = kubectlIo({
    env: { KUBECONFIG: file('kubeconfig'), HOME: directory },
    workingDirectory: directory,
    clock: systemClock,
    spawn: async (_program, args, { out } = {}) => {
      out?.write(differenceOf(args.slice(-2)));
      return 1;
    },
  });
  await runKubectl(words(line), io);
  return io.text.out + io.text.err;
}

async function coxswain(line: string): Promise<string> {
  const recorded = recordedIo();
  const io: ProgramIo = {
    ...recorded,
    input: Readable.from([]),
    env: { KUBECONFIG: file('kubeconfig'), HOME: directory },
    signal: new AbortController().signal,
  };
  await runCoxswain(words(line), io);
  return recorded.text.out + recorded.text.err;
}

const words = (line: string): string[] => line.split(' ');

/** What a diff program prints for two directories: the lines that only one of them has. */
function differenceOf(directories: readonly string[]): string {
  const [left = [], right = []] = directories.map((directory) =>
    readdirSync(directory).flatMap((name) => readFileSync(path.join(directory, name), 'utf8').split('\n')),
  );
  const only = (lines: readonly string[], others: readonly string[]) =>
    lines.filter((line) => !others.includes(line));
  return [...only(left, right), ...only(right, left)].join('\n');
}

function ask(method: string, target: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const { port } = new URL(cluster.address!);
  return new Promise((resolve, reject) => {
    const asking = request(
      { host: '127.0.0.1', port, method, path: target, headers, rejectUnauthorized: false },
      (answer) => {
        let text = `${answer.statusCode} ${JSON.stringify(answer.headers)} `;
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => resolve(text));
      },
    );
    asking.on('error', reject);
    asking.end();
  });
}

function expectHidden(text: string): void {
  expect(text).not.toBe('');
  for (const one of marks) expect(text).not.toContain(one);
}

test.each([
  'get secrets',
  'get secrets -o wide --show-labels',
  'get secrets -o name',
  'describe secret marked',
  'describe pod web',
  'diff -f secret.json',
  'diff --server-side --force-conflicts -f created.json',
  'diff --server-side --prune -l app=web -f map.json',
  'blame secret marked',
  'tree secret marked',
  'get events -o json',
  'logs web',
  'apply -f secret.json',
  'apply -f type.json',
  'apply -f key.json',
  'create -f base64.json',
  'replace -f base64.json',
  'apply --server-side -f secret.json',
  'create -f data.json',
  'replace -f type.json',
  'label secret marked team=a',
  'patch secret marked -p {"stringData":{"password":"m4rk-of-a-secret"}}',
  'patch secret marked --type=json -p [{"op":"test","path":"/data/password","value":"m4rk-of-a-secret"}]',
  'set env pod/web --list --from=secret/none',
  'config view',
  'get pods -v=9',
  'get pods --token=m4rk-of-a-secret -v=9',
  'get pods --kubeconfig=token -v=9',
  'get pods --kubeconfig=basic -v=9',
  'get pods --kubeconfig=proxy -v=9',
  'get pods --kubeconfig=unreadable-proxy',
  'get pods --kubeconfig=unknown-proxy',
  'get pods --kubeconfig=key',
  'config view --kubeconfig=token',
  'config view --kubeconfig=basic',
  'config view --kubeconfig=key',
])('kubectl %s', async (line) => {
  expectHidden(await kubectl(line));
});

test.each([
  'history secret/marked',
  'history secret marked --limit=1',
  'explain pod web',
  'explain pod web --json',
  'who-can get secrets',
  'why-denied get secrets marked --as alice',
  'validate -f FOLDER/base64.json -f FOLDER/key.json -f FOLDER/type.json',
  'validate -o sarif -f FOLDER/base64.json -f FOLDER/key.json -f FOLDER/type.json',
  'history secret/marked --kubeconfig=FOLDER/token',
  'history secret/marked --kubeconfig=FOLDER/proxy',
  'history secret/marked --kubeconfig=FOLDER/unreadable-proxy',
  'join m4rk-of-a-secret --server=https://127.0.0.1:1',
])('coxswain %s', async (line) => {
  expectHidden(await coxswain(line.replaceAll('FOLDER', directory)));
});

test('the history of a secret that is gone', async () => {
  await kubectl('create secret generic gone --from-literal=password=m4rk-of-a-secret');
  await kubectl('patch secret gone -p {"stringData":{"other":"m4rk-again"}}');
  await kubectl('delete secret gone');
  const text = await coxswain('history secret/gone');
  expectHidden(text);
  expect(text).toContain('+ data.password: ***');
  expect(text).toContain('+ data.other: ***');
});

test.each([
  ['GET', '/api/v1/namespaces/default/secrets/none', { authorization: `Bearer ${mark}` }],
  ['GET', '/api/v1/secrets', { authorization: `Basic ${Buffer.from(`admin:${mark}`).toString('base64')}` }],
  ['GET', `/api/v1/secrets?access_token=${mark}`, {}],
  ['GET', `/api/v1/secrets?token=${mark}&watch=true`, {}],
  [
    'GET',
    '/api/v1/namespaces/default/pods/web/exec?command=x',
    {
      upgrade: 'websocket',
      connection: 'upgrade',
      'sec-websocket-protocol': `base64url.bearer.authorization.k8s.io.${Buffer.from(mark).toString('base64url')}`,
    },
  ],
] as const)('%s %s is not answered with what was sent', async (method, target, headers) => {
  expectHidden(await ask(method, target, headers));
});

test('the log of the server, and its metrics', async () => {
  expectHidden(`log: ${log}`);
  expectHidden(await kubectl('get --raw /metrics'));
});

test('secrets in a store are printed only on request', async () => {
  await cluster.stop();
  const key = '/registry/secrets/default/marked';
  for (const line of [
    `dump ${storageDirectory}`,
    `dump --values ${storageDirectory}`,
    `get ${storageDirectory} ${key}`,
  ]) {
    const text = await coxswain(`storage ${line}`);
    expectHidden(text);
    expect(text).toContain(line.startsWith('get') ? '"marked"' : key);
  }
  expect(await coxswain(`storage get --show-secrets ${storageDirectory} ${key}`)).toContain(marks[1]);
});

test('the trace of a command', async () => {
  const text = await coxswain(
    `trace --fresh kubectl create secret generic traced --from-literal=password=${mark}`,
  );
  expectHidden(text);
  expect(text).toContain('kubectl create secret generic traced');
}, 30_000);
