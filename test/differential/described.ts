/**
 * `npm run differ-described -- --kubectl PROGRAM [--objects N] [--seed N] [kind…]`: the original's kubectl and ours
 * describe and print objects made at random; prints where they say something else. See README.md.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { groupVersionDirectories, kindsOf } from '@coxswain/api';
import type { Kind } from '@coxswain/schema';
import { randomObject } from '../../packages/api/test/random-object.ts';
import { recordedServer } from '../../packages/kube-apiserver/test/oracle/replay.ts';
import { TwoKubectls, printDifference } from './commands/two-kubectls.ts';
import { relatedObjects, tableOf, thinned } from './described/objects.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kubectl: { type: 'string', default: 'kubectl' },
    objects: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    lines: { type: 'string', default: '6' },
    /** Only commands with this text. */
    only: { type: 'string', default: '' },
  },
});

/** `%s` is the object. */
const commands = [
  'describe %s',
  'get %s',
  'get %s -o wide --show-labels',
  'get %s -o yaml',
  'get %s -o kyaml',
  'get %s -o json',
  'get %s -o jsonpath={.spec}{"\\n"}{.metadata.annotations}',
  'get %s -o go-template={{.metadata.labels}}{{.status}}',
  'get %s -o custom-columns=A:.spec,B:.metadata.creationTimestamp',
];

const name = 'thing';
/** What a server never makes up: events are asked for by these. */
const identity = { name, uid: '00000000-0000-4000-8000-000000000001' };
const made = { creationTimestamp: '2020-01-02T03:04:05Z' };
const home = mkdtempSync(path.join(os.tmpdir(), 'differ-described-'));
const recorded = await recordedServer();
const discovery = recorded.inProcess(undefined, { structured: false });
/** What the server has: one object, what belongs to it, and discovery. */
let standing: { readonly path: RegExp; readonly object: object; readonly seed: number } | undefined;
const server = createServer((request, response) => void answer(request, response));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const kubeconfig = path.join(home, 'config');
writeFileSync(kubeconfig, JSON.stringify(configFor((server.address() as AddressInfo).port)));
const kubectls = new TwoKubectls(values.kubectl, kubeconfig);
let asked = 0;
let differing = 0;

for (const kind of groupVersionDirectories.flatMap(kindsOf)) {
  if (kind.names !== undefined && isWanted(kind)) await judge(kind);
}
kubectls.removeHomes();
rmSync(home, { recursive: true });
console.log(`${asked} commands, ${differing} differ`);
server.close();
await recorded.stop();
process.exit(differing === 0 ? 0 : 1);

function isWanted({ kind, apiVersion }: Kind): boolean {
  return (
    positionals.length === 0 || positionals.some((one) => one === kind || one === `${apiVersion}/${kind}`)
  );
}

async function judge(kind: Kind): Promise<void> {
  const { plural } = kind.names!;
  const [version, group = ''] = kind.apiVersion.split('/').toReversed() as [string, string?];
  const resource = `${plural}.${version}.${group}/${name}`;
  for (let at = 0; at < Number(values.objects); at++) {
    const seed = Number(values.seed) + at;
    // Of every other object, most members are missing.
    const random = thinned(randomObject(kind, seed), seed % 2 === 0 ? seed : undefined);
    const metadata = {
      ...made,
      ...(random['metadata'] as object),
      namespace: kind.names!.namespaced ? 'default' : undefined,
      ...identity,
    };
    standing = {
      path: new RegExp(`/${version}/(namespaces/[^/]+/)?${plural}/${name}$`),
      object: { ...random, ...(kind.kind === 'Node' && { status: roomyStatus(random) }), metadata },
      seed,
    };
    for (const command of commands.filter((one) => one.includes(values.only)))
      await compare(command.replace('%s', resource), seed);
  }
}

/** What pods use of nothing is a share that Go makes up. */
function roomyStatus({ status }: { readonly status?: unknown }): object {
  return {
    ...(status as object | undefined),
    allocatable: { cpu: '12', memory: '64Gi', 'example.com/gpu': '3', 'hugepages-2Mi': '4Mi' },
  };
}

async function compare(line: string, seed: number): Promise<void> {
  asked++;
  const [left, right] = await kubectls.ask(line.split(' '));
  // Where the original breaks down there is nothing to compare with.
  if (inAnyOrder(line, left) === inAnyOrder(line, right) || /panic: |SIGSEGV/.test(left)) return;
  differing++;
  printDifference(`kubectl ${line}   (seed ${seed})`, left, right, Number(values.lines));
}

/** The original prints the resources of limits in the random order of a map. */
function inAnyOrder(line: string, text: string): string {
  return /^describe (limitranges|namespaces)/.test(line) ? text.split(/\s+/).sort().join('\n') : text;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = new URL(request.url!, 'http://localhost');
  if (standing?.path.test(asked.pathname)) {
    const isTable = request.headers.accept?.includes('as=Table') === true;
    return send(response, 200, isTable ? tableOf(standing.object, standing.seed) : standing.object);
  }
  if (/^\/api(\/v1)?$|^\/apis(\/[^/]+){0,2}$|^\/(openapi|version)/.test(asked.pathname)) {
    const found = await discovery.send({
      method: 'GET',
      path: request.url!,
      headers: { authorization: 'Bearer oracle-admin-token', accept: request.headers.accept ?? '*/*' },
    });
    response.writeHead(found.status, { 'content-type': String(found.headers['content-type']) });
    response.end(Buffer.from(await found.bytes()));
    return;
  }
  const resource = asked.pathname.split('/').at(-1)!;
  return send(response, 200, relatedObjects(resource, identity, standing?.seed ?? 0));
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function configFor(port: number): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}` } }],
    contexts: [{ name: 'c', context: { cluster: 'c' } }],
  };
}
