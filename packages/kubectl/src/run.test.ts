import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { runKubectl } from './run.ts';
import { FakeServer } from './testing/fake-server.ts';
import { recordedIo } from './testing/recorded-io.ts';

async function kubectl(line: string, over: Parameters<typeof recordedIo>[0] = {}) {
  const io = recordedIo(over);
  const code = await runKubectl(line.split(' '), io);
  return { code, ...io.text };
}

describe('without a server', () => {
  test('an object that is only printed', async () => {
    const { code, out, err } = await kubectl(
      'create deployment web --image=nginx --replicas=2 --dry-run=client -o yaml',
    );
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toBe(`apiVersion: apps/v1
kind: Deployment
metadata:
  labels:
    app: web
  name: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  strategy: {}
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - image: nginx
        name: nginx
        resources: {}
status: {}
`);
  });

  test.each([
    ['gte pods', 'error: unknown command "gte" for "kubectl"\n\nDid you mean this?\n\tget\n'],
    ['get --wrong', "error: unknown flag: --wrong\nSee 'kubectl get --help' for usage.\n"],
    [
      'get pods --chunk-size=x',
      'error: invalid argument "x" for "--chunk-size" flag: strconv.ParseInt: parsing "x": invalid syntax\nSee \'kubectl get --help\' for usage.\n',
    ],
    ['run p', 'error: required flag(s) "image" not set\n'],
    ['wait pod/x', 'error: unrecognized condition: []\n'],
  ])('kubectl %s', async (line, message) => {
    expect(await kubectl(line)).toEqual({ code: 1, out: '', err: message });
  });

  test('the help of the root is available in Chinese', async () => {
    const { out } = await kubectl('--help', { env: { LANG: 'zh_CN.UTF-8' } });
    expect(out).toContain('基础命令（初级）：');
  });
});

describe('with a server of the same process', () => {
  test('an object is created, listed and got', async () => {
    const transport = new FakeServer();
    expect(await kubectl('create configmap web --from-literal=a=1', { transport })).toEqual({
      code: 0,
      out: 'configmap/web created\n',
      err: '',
    });
    expect((await kubectl('get cm -o name', { transport })).out).toBe('configmap/web\n');
    expect((await kubectl('get cm web -o jsonpath={.data.a}', { transport })).out).toBe('1');
    expect(transport.requests).toContain('GET /api/v1/namespaces/default/configmaps/web');
  });

  test('a missing object is an error', async () => {
    expect(await kubectl('get cm nope', { transport: new FakeServer() })).toEqual({
      code: 1,
      out: '',
      err: 'Error from server (NotFound): configmaps "nope" not found\n',
    });
  });

  test('control characters are made visible in events', async () => {
    const bytes = new TextEncoder().encode(
      JSON.stringify({
        kind: 'EventList',
        apiVersion: 'v1',
        items: [{ metadata: {}, type: 'a\u001b[2J', reason: 'b\rc', message: 'd\u001b]0;title' }],
      }),
    );
    const transport = new FakeServer();
    transport.send = async () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      bytes: async () => bytes,
      async *stream() {
        yield bytes;
      },
    });

    const { out } = await kubectl('events --no-headers', { transport });

    expect(out).toContain('a^[[2J');
    expect(out).toContain('b\\rc');
    expect(out).toContain('d^[]0;title');
  });

  test('the log shows requests', async () => {
    const { err } = await kubectl('get --raw /api -v=6', { transport: new FakeServer() });
    expect(err).toMatch(/verb="GET" url="in-process:.*\/api" status="200/);
  });
});

describe('config', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kubectl-config-'));
  const file = join(directory, 'config');
  const env = { KUBECONFIG: file };
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  test('entries are written, changed and shown without secrets', async () => {
    await kubectl('config set-cluster red --server=https://red.example.com', { env });
    await kubectl('config set-credentials ann --token=secret', { env });
    await kubectl('config set-context one --cluster=red --user=ann', { env });
    expect((await kubectl('config use-context one', { env })).out).toBe('Switched to context "one".\n');
    expect(readFileSync(file, 'utf8')).toContain('token: secret');
    const { out } = await kubectl('config view', { env });
    expect(out).toContain('current-context: one');
    expect(out).toContain('token: REDACTED');
    // A context given for the command is the current one only if the rest is left out.
    expect((await kubectl('config view --context=two', { env })).out).toBe(out);
    expect((await kubectl('config view --context=two --minify', { env })).code).toBe(1);
    expect((await kubectl('config set clusters.red.nothing x', { env })).code).toBe(1);
  });
});
