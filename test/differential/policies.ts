/**
 * `npm run differ-policies -- --original URL --token T [scenario…]`: admission policies of all sorts, on a real API
 * server and on ours; what one answers otherwise is printed.
 */
import { parseArgs } from 'node:util';
import { HttpTransport } from '@coxswain/client/https/http-transport.ts';
import type { Transport } from '@coxswain/client/transport.ts';
import { describeDifference, differencesOf } from '../../packages/kube-apiserver/test/oracle/differences.ts';
import { recordedServer } from '../../packages/kube-apiserver/test/oracle/replay.ts';
import { scenarios, type Scenario, type Write } from './policies/scenarios.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    original: { type: 'string', default: 'https://127.0.0.1:6443' },
    token: { type: 'string', default: 'oracle-admin-token' },
  },
});

/** The original looks every second for new policies, and every five for schemas. */
const patienceMs = 6000;
const group = '/apis/admissionregistration.k8s.io/v1';
const run = `map-${Date.now().toString(36)}`;
const server = await recordedServer();
const original = new HttpTransport({ server: values.original, insecure: true });
const servers = [original, server.inProcess(undefined, { structured: false })] as const;

const chosen = Object.entries(scenarios).filter(
  ([name]) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
const varying = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'time',
  'token',
  'expirationTimestamp',
]);

let differing = 0;
let asked = 0;
for (const [at, [name, scenario]] of chosen.entries()) await prepare(name, scenario, `${run}-${at}`);
await new Promise((resolve) => setTimeout(resolve, patienceMs));
for (const [at, [name, scenario]] of chosen.entries()) await play(name, scenario, `${run}-${at}`);
for (const [at, [, scenario]] of chosen.entries()) await cleanUp(scenario, `${run}-${at}`);
console.log(`${chosen.length} scenarios, ${asked} writes, ${differing} differ`);
await server.stop();
await original.close();
process.exit(differing === 0 ? 0 : 1);

function pathsOf({ kind }: Scenario) {
  const stem = `${group}/${kind.toLowerCase()}admissionpolic`;
  return { policies: `${stem}ies`, bindings: `${stem}ybindings` };
}

async function prepare(name: string, scenario: Scenario, id: string): Promise<void> {
  const { kind, spec, binding = {}, before = [] } = scenario;
  const { policies, bindings } = pathsOf(scenario);
  const apiVersion = 'admissionregistration.k8s.io/v1';
  await both({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: id } } }, '');
  for (const write of before) await both(write, id);
  const made = await both(
    {
      method: 'POST',
      path: policies,
      isCluster: true,
      body: { apiVersion, kind: `${kind}AdmissionPolicy`, metadata: { name: id }, spec },
    },
    id,
  );
  compare(`${name}: policy`, made);
  const bound = {
    policyName: id,
    ...(kind === 'Validating' ? { validationActions: ['Deny'] } : {}),
    matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': id } } },
    ...binding,
  };
  compare(
    `${name}: binding`,
    await both(
      {
        method: 'POST',
        path: bindings,
        isCluster: true,
        body: { apiVersion, kind: `${kind}AdmissionPolicyBinding`, metadata: { name: id }, spec: bound },
      },
      id,
    ),
  );
}

async function play(name: string, { writes }: Scenario, id: string): Promise<void> {
  for (const [at, write] of writes.entries()) {
    asked++;
    compare(`${name}: write ${at + 1}`, await both(write, id));
  }
}

async function cleanUp(scenario: Scenario, id: string): Promise<void> {
  const { policies, bindings } = pathsOf(scenario);
  for (const path of [`${bindings}/${id}`, `${policies}/${id}`, `/api/v1/namespaces/${id}`]) {
    await both({ method: 'DELETE', path, isCluster: true }, id);
  }
}

function compare(what: string, [theirs, own]: readonly [unknown, unknown]): void {
  const differences = differencesOf(theirs as never, own as never);
  if (differences.length === 0) return;
  differing++;
  console.log(`${what}\n${differences.map((one) => describeDifference(one)).join('\n')}\n`);
}

async function both(write: Write, id: string): Promise<readonly [unknown, unknown]> {
  const [theirs, own] = await Promise.all(servers.map((one, at) => ask(one, write, id, at === 0)));
  return [theirs, own];
}

async function ask(transport: Transport, write: Write, id: string, isRemote: boolean): Promise<unknown> {
  const { method, path, body, type = 'application/json', isCluster } = write;
  const full =
    isCluster || id === ''
      ? path
      : path.replace(/^(\/api\/v1|\/apis\/[^/]+\/[^/]+)\//, `$1/namespaces/${id}/`);
  const response = await transport.send({
    method,
    path: full,
    headers: {
      authorization: `Bearer ${values.token}`,
      accept: 'application/json',
      'content-type': type,
      'user-agent': 'policies/1',
    },
    ...(body !== undefined && { body: new TextEncoder().encode(JSON.stringify(body)) }),
  });
  const text = Buffer.from(await response.bytes()).toString();
  const warning = [response.headers['warning'] ?? []].flat().flatMap((one) => {
    const decoded = isRemote ? Buffer.from(one, 'latin1').toString() : one;
    return decoded.split(/, (?=299 - ")/);
  });
  return { status: response.status, warning, body: viewOf(text.startsWith('{') ? JSON.parse(text) : text) };
}

/** Without what differs from server to server. */
function viewOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(viewOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (varying.has(name) ? [] : [[name, viewOf(member)]])),
  );
}
