/**
 * Behavior that a server with several threads shares with one: over sockets, each request on a connection of its own.
 */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import type { Worker } from 'node:worker_threads';
import { seededRandom } from '@coxswain/apimachinery';
import type { Transport } from '@coxswain/client/transport.ts';
import { checkLinearizable } from '@coxswain/storage/suite/linearizability/checker.ts';
import { registerModel } from '@coxswain/storage/suite/linearizability/registers.ts';
import { recordHistory } from '@coxswain/storage/suite/linearizability/workload.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { apiServerRegisters, initialValue } from '../../../test/linearizability/api-server-registers.ts';
import { CertificateAuthority } from '../../../test/attack/certificate-authority.ts';
import { connectionsInTurn, startedProgram, type ProgramOnThreads } from './oracle/threaded-server.ts';

const threads = 3;
const workers: Worker[] = [];
const directory = mkdtempSync(path.join(tmpdir(), 'serving-threads-'));
const audited = path.join(directory, 'audit.log');
let program: ProgramOnThreads;
let transport: Transport;

const noteWorker = (worker: Worker): void => void workers.push(worker);

beforeAll(async () => {
  process.on('worker', noteWorker);
  const tokens = path.join(directory, 'tokens.csv');
  writeFileSync(tokens, 'a-token,admin,uid-admin,"system:masters"\n', { mode: 0o600 });
  const policy = path.join(directory, 'policy.yaml');
  writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n');
  program = await startedProgram([
    `--threads=${threads}`,
    `--data-dir=${path.join(directory, 'data')}`,
    `--cert-dir=${directory}`,
    `--token-auth-file=${tokens}`,
    '--authorization-mode=RBAC',
    '--disable-admission-plugins=ServiceAccount',
    `--audit-policy-file=${policy}`,
    `--audit-log-path=${audited}`,
    '--max-requests-inflight=9',
    '--max-mutating-requests-inflight=6',
  ]);
  const connections = connectionsInTurn(program.address);
  transport = {
    ...connections,
    send: (request) =>
      connections.send({ ...request, headers: { ...request.headers, authorization: 'Bearer a-token' } }),
  };
}, 60_000);

afterAll(async () => {
  process.off('worker', noteWorker);
  await program.stop();
  rmSync(directory, { recursive: true });
});

async function ask(method: string, target: string, object?: object) {
  const answer = await transport.send({
    method,
    path: target,
    headers: { 'content-type': 'application/json' },
    ...(object && { body: new TextEncoder().encode(JSON.stringify(object)) }),
  });
  return { status: answer.status, text: new TextDecoder().decode(await answer.bytes()) };
}

async function sampleOf(pattern: RegExp): Promise<number> {
  const { text } = await ask('GET', '/metrics');
  const lines = text.split('\n').filter((line) => pattern.test(line));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

test('reads and writes over all connections can be put in one order', async () => {
  const registers = await apiServerRegisters(transport, 'registers', 3);
  const random = seededRandom(1);
  const history = await recordHistory(registers, { clients: 6, operationsPerClient: 25, keys: 3, random });

  expect(checkLinearizable(history, registerModel(3, initialValue))).toMatchObject({ linearizable: true });
});

test('a resource defined over one connection is served over the next', async () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boats.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'boats', kind: 'Boat' },
      scope: 'Cluster',
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  };
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  expect((await ask('POST', path, definition)).status).toBe(201);
  await vi.waitFor(async () => {
    const { text } = await ask('GET', `${path}/boats.example.com`);
    expect(JSON.parse(text).status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Established', status: 'True' }),
    );
  });

  const boat = { apiVersion: 'example.com/v1', kind: 'Boat', metadata: { name: 'one' } };
  expect((await ask('POST', '/apis/example.com/v1/boats', boat)).status).toBe(201);
  for (let i = 0; i < 10; i++) {
    expect((await ask('GET', '/apis/example.com/v1/boats/one')).status).toBe(200);
  }
});

test('services get different ports and addresses, whichever thread allocates them', async () => {
  const created = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      ask('POST', '/api/v1/namespaces/default/services', {
        metadata: { name: `service-${at}` },
        spec: { type: 'NodePort', ports: [{ port: 80 }] },
      }),
    ),
  );

  const specs = created.map(({ text }) => JSON.parse(text).spec);
  expect(new Set(specs.map(({ clusterIP }) => clusterIP)).size).toBe(20);
  expect(new Set(specs.map(({ ports }) => ports[0].nodePort)).size).toBe(20);
});

test('metrics are those of all threads together, and limits are divided among them', async () => {
  const counted = /^apiserver_request_total{.*resource="secrets".*verb="LIST"/;
  const before = await sampleOf(counted);
  for (let i = 0; i < 12; i++) await ask('GET', '/api/v1/namespaces/default/secrets');

  expect((await sampleOf(counted)) - before).toBe(12);
  expect(await sampleOf(/^kubernetes_build_info/)).toBe(1);
  // In each thread every level is rounded up to a whole seat.
  expect(await sampleOf(/^apiserver_flowcontrol_nominal_limit_seats{priority_level="workload-low"}/)).toBe(
    threads * Math.ceil(((15 / threads) * 100) / 245),
  );
});

test('one log of audit has the requests of all threads, each once', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `audited-${at}`);
  for (const name of names) await ask('GET', `/api/v1/namespaces/default/configmaps/${name}`);

  const events = readFileSync(audited, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const reported = events
    .filter(({ stage }) => stage === 'ResponseComplete')
    .map(({ objectRef }) => objectRef?.name);
  expect(reported.filter((name) => names.includes(name)).sort()).toEqual(names.sort());
});

test('a thread that dies is replaced; the others continue, and nothing is lost', async () => {
  const map = (name: string) => ({ metadata: { name } });
  await ask('POST', '/api/v1/namespaces/default/configmaps', map('before'));
  const [first] = workers;
  await first!.terminate();

  await vi.waitFor(() => expect(workers.length).toBeGreaterThan(threads), { timeout: 10_000 });
  await vi.waitFor(
    async () => {
      for (let i = 0; i < 2 * threads; i++) expect((await ask('GET', '/readyz')).status).toBe(200);
    },
    { timeout: 20_000 },
  );
  expect((await ask('GET', '/api/v1/namespaces/default/configmaps/before')).status).toBe(200);
  expect(program.log()).toContain('another one takes its place');
}, 40_000);

async function certificateShown(): Promise<string> {
  const { hostname: host, port } = new URL(program.address);
  const socket = tls.connect({ host, port: Number(port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return new X509Certificate(raw).fingerprint256;
}

test('certificates that are exchanged are shown by all threads', async () => {
  const authority = await CertificateAuthority.create('another');
  const { cert, key } = await authority.issue({ name: 'CN=server', usage: 'server' });
  writeFileSync(path.join(directory, 'apiserver.key'), key);
  writeFileSync(path.join(directory, 'apiserver.crt'), cert);

  const expected = new X509Certificate(cert).fingerprint256;
  await vi.waitFor(
    async () => {
      for (let i = 0; i < 4 * threads; i++) expect(await certificateShown()).toBe(expected);
    },
    { timeout: 10_000, interval: 100 },
  );
});

test('when the server ends, watches of all threads end, and nothing is cut off', async () => {
  const opened = await Promise.all(
    Array.from({ length: 2 * threads }, () =>
      transport.send({ method: 'GET', path: '/api/v1/configmaps?watch=true', headers: {} }),
    ),
  );
  const ends = opened.map((watch) => watch.bytes());
  await program.stop();

  const texts = (await Promise.all(ends)).map((bytes) => new TextDecoder().decode(bytes));
  expect(texts.every((text) => text.includes('"before"') && text.endsWith('\n'))).toBe(true);
  await expect(ask('GET', '/version')).rejects.toThrow();
}, 60_000);
