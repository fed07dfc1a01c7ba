/** `coxswain trace` as a program: what it prints, writes and answers with. */

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseRecording } from '../../packages/trace/src/recording.ts';
import { giveInput } from '../give-input.ts';

const program = path.join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');
const timeout = { timeout: 120_000 };
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'trace-command-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function trace(args: readonly string[], input = '') {
  const { KUBECONFIG: _none, ...env } = process.env;
  const child = spawn(process.execPath, [program, 'trace', ...args], { env, stdio: 'pipe' });
  giveInput(child, input);
  const status = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err, status: await status };
}

test(
  "a command's output and exit code are its own, and its recording is where it was asked for",
  timeout,
  async () => {
    const json = path.join(directory, 'failed.json');
    const html = path.join(directory, 'failed.html');
    const { out, err, status } = await trace([
      `-o=json=${json}`,
      `-o=html=${html}`,
      'kubectl',
      'get',
      'nope',
    ]);

    expect([out, err, status]).toEqual(['', 'error: the server doesn\'t have a resource type "nope"\n', 1]);
    const { undertakings } = parseRecording(await readFile(json, 'utf8'));
    expect(undertakings[0]).toMatchObject({ kind: 'command', name: 'kubectl get nope' });
    const page = await readFile(html, 'utf8');
    expect(page.includes('"packages/apiserver/src/filters/authorize.ts":"')).toBe(true);
    const again = await trace([`--from=${json}`]);
    expect(again.out).toContain('kubectl get nope');
  },
);

test('objects and quoted commands come first, and what a write led to stands below it', timeout, async () => {
  const file = path.join(directory, 'space.yaml');
  await writeFile(file, 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n');
  const before = "kubectl create configmap a -n shop --from-literal='k=two words'";
  const { out, status } = await trace([
    '-f',
    file,
    `--before=${before}`,
    'kubectl',
    '-n',
    'shop',
    'create',
    'deployment',
    'web',
    '--image=nginx',
  ]);

  expect(status).toBe(0);
  expect(out).toMatch(/namespace\/shop created\nconfigmap\/a created\ndeployment.apps\/web created\n/);
  expect(out).toContain('deployment-controller shop/web syncDeployment()');
  const lines = out.split('\n');
  const depthOf = (pattern: RegExp) => lines.find((line) => pattern.test(line))!.search(/[├└]/);
  expect(depthOf(/POST .*\/deployments/)).toBeLessThan(depthOf(/deployment-controller shop\/web/));
  expect(depthOf(/replicaset-controller shop\/web/)).toBeLessThan(depthOf(/kube-scheduler shop\/web/));
  expect(lines.length).toBeGreaterThan(40);
  expect(lines.length).toBeLessThan(130);
});

test('any program gets a kubeconfig, and its requests are its own', timeout, async () => {
  const json = path.join(directory, 'program.json');
  const kubectl = path.join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');
  const { out, status } = await trace([
    `-o=json=${json}`,
    '--nodes=2',
    '--',
    process.execPath,
    kubectl,
    'kubectl',
    'get',
    'nodes',
    '-o=name',
  ]);

  expect([out, status]).toEqual(['node/node-0\nnode/node-1\n', 0]);
  const { undertakings } = parseRecording(await readFile(json, 'utf8'));
  const [command] = undertakings;
  const list = undertakings.find(({ name }) => name.startsWith('GET /api/v1/nodes'));
  expect(list?.causes).toEqual([command?.id]);
});

test('a Service leads to rules of its node, in the words of the kernel', timeout, async () => {
  const json = path.join(directory, 'rules.json');
  await trace([`-o=json=${json}`, 'kubectl', 'create', 'service', 'clusterip', 'web', '--tcp=80']);

  const { undertakings } = parseRecording(await readFile(json, 'utf8'));
  const created = undertakings.find(({ name }) =>
    name.startsWith('POST /api/v1/namespaces/default/services'),
  );
  const rules = undertakings.find(({ kind, causes }) => kind === 'proxy' && causes.includes(created!.id));
  expect(rules?.steps[0]).toMatchObject({
    function: 'syncProxyRules',
    values: { services: ['default/web'] },
  });
  expect(rules?.steps[0]?.steps[0]).toMatchObject({
    name: 'nft',
    values: { transaction: expect.stringContaining('add element ip kube-proxy no-endpoint-services') },
  });
});

test('the new cluster has an authority for certificates, as that of up', timeout, async () => {
  const { out, status } = await trace([
    '--before=wait --for=create configmap/kube-root-ca.crt',
    'kubectl',
    'get',
    'configmap',
    'kube-root-ca.crt',
    '-o=jsonpath={.data.ca\\.crt}',
  ]);
  expect(status).toBe(0);
  expect(out).toContain('-----BEGIN CERTIFICATE-----');
});

test('it halts at a step, and a step that there is not is told in one line', timeout, async () => {
  const halted = await trace(['--break=run', 'kubectl', 'version', '--client'], '\n');
  expect(halted.err).toMatch(/● run {2}packages\/kubectl\/src\/commands\/version\.ts:\d+/);
  expect(halted.status).toBe(0);

  const unknown = await trace(['--break=authorise', 'kubectl', 'get', 'nodes']);
  expect(unknown.err).toBe('coxswain: no step is called "authorise"; did you mean "authorize"?\n');
  expect(unknown.status).toBe(1);
});

test('a watch is recorded for as long as was asked for', timeout, async () => {
  const { out, status } = await trace([
    '--for=3s',
    'kubectl',
    'get',
    '--raw',
    '/api/v1/namespaces?watch=true',
  ]);
  expect(status).toBe(0);
  expect(out).toContain('"type":"ADDED"');
  expect(out).toMatch(/GET \/api\/v1\/namespaces .*\?watch=true/);
});

test('the start, the elections and the end of a new cluster are recorded on request', timeout, async () => {
  const { out, status } = await trace(['--show=start,stop,leader-election']);
  expect(status).toBe(0);
  expect(out).toMatch(/post-start-hook\/bootstrap-controller .*bootstrap-server\.ts:\d+/);
  expect(out).toContain('leader-election kube-system/kube-scheduler');
  expect(out).toContain('component/deployment-controller');
  expect(out).toMatch(/drain .*server-lifecycle\.ts:\d+/);
});

test('attach ends with its time', timeout, async () => {
  const { out, status } = await trace([
    '--for=3s',
    '--before=run web --image=nginx',
    '--before=wait --for=condition=Ready pod/web',
    'kubectl',
    'attach',
    'web',
  ]);
  expect(status).toBe(0);
  expect(out).toMatch(/GET .*\/pods\/web\/attach/);
  expect(out).toMatch(/stream\/attach/);
});

test('a collector is sent the same as OpenTelemetry', timeout, async () => {
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(`${request.method} ${request.url} ${body}`);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const { status } = await trace([`--otlp-endpoint=http://127.0.0.1:${port}`, 'kubectl', 'get', 'nodes']);
  collector.close();

  expect(status).toBe(0);
  expect(bodies[0]).toMatch(/^POST \/v1\/traces \{"resourceSpans":\[/);
});

test.each([
  [[], 'specify a command, --from=FILE or --attach'],
  [
    ['-o=foo', 'kubectl', 'get', 'pods'],
    '--output must be one of text, json, html, perfetto, otlp, each with or without =FILE, not "foo"',
  ],
  [
    ['-o=json=/no/such/r.json', 'kubectl', 'get', 'ns'],
    'cannot write /no/such/r.json: no such file or directory',
  ],
  [['--inspect', 'kubectl', 'get', 'pods'], '--inspect needs the steps to stop at: --break=STEP'],
  [['--attach', 'kubectl', 'get', 'pods'], "a command and --attach can't be combined"],
  [
    ['--kubeconfig=x', '--break=run', 'kubectl', 'version'],
    '--break needs a new cluster, without --kubeconfig and $KUBECONFIG (or with --fresh)',
  ],
  [
    ['--from=x', '--nodes=2'],
    '--nodes has no effect on a recording that was saved: leave it out, or leave out --from',
  ],
  [
    ['--attach', '--kubeconfig=x', '--follow=1s'],
    '--follow has no effect with --attach, which runs no command and starts no cluster',
  ],
  [
    ['--functions=storage,trace', 'kubectl', 'get', 'ns'],
    '--functions: calls of the package "trace" are not recorded: it is the recorder',
  ],
  [['--functions=', 'kubectl', 'get', 'ns'], '--functions= names no packages; leave out "=" for all'],
  [['--attach'], '--attach needs a running cluster: name its kubeconfig in --kubeconfig or $KUBECONFIG'],
  [['--for=-1s', 'kubectl', 'get', 'pods'], '--for must not be negative'],
  [['--depth=2', 'kubectl', 'get', 'pods'], '--depth needs --functions'],
  [['--from=/dev/null'], '/dev/null: not a recording: invalid JSON'],
])('%j is refused with one line', timeout, async (args, message) => {
  const { out, err, status } = await trace(args);
  expect([out, err, status]).toEqual(['', `coxswain: ${message}\n`, 1]);
});

test('an unknown package is refused with the nearest name and all others', timeout, async () => {
  const { err, status } = await trace(['--functions=apisever', 'kubectl', 'get', 'ns']);
  expect(err).toMatch(
    /no package is called "apisever"; did you mean "apiserver"\?; the packages are api, .*ui\n$/,
  );
  expect(status).toBe(1);
});
