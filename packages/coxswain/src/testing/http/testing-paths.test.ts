import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCluster } from '../create-cluster.ts';
import { configMap, configMaps, web } from '../fixtures.ts';
import type { TestCluster } from '../test-cluster.ts';

/** Hours of virtual time pass in these tests, possibly on busy machines. */
vi.setConfig({ testTimeout: 30_000 });

let cluster: TestCluster;
let directory: string;
const examples = path.join(import.meta.dirname, '../../../examples/testing');

const call = async (method: string, what: string, body?: unknown, view = cluster.as('kubernetes-admin')) => {
  const answer = await view.transport.send({
    method,
    path: `/coxswain/v1/${what}`,
    headers: { accept: 'application/json' },
    ...(body !== undefined && { body: { object: body } }),
  });
  const text = new TextDecoder().decode(await answer.bytes());
  return { status: answer.status, value: JSON.parse(text) as Record<string, unknown> };
};
const admin = () => cluster.as({ name: 'admin', groups: ['system:masters'] });
const ask = (method: string, what: string, body?: unknown) => call(method, what, body, admin());

beforeAll(async () => {
  cluster = await createCluster({ nodes: 2, seed: 9 });
  directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-testing-'));
});
beforeEach(() => cluster.reset());
afterAll(async () => {
  await cluster.stop();
  rmSync(directory, { recursive: true });
});

test('refuses users without permission', async () => {
  expect(await call('POST', 'reset', {}, cluster.as('mallory'))).toMatchObject({
    status: 403,
    value: { reason: 'Forbidden' },
  });
});

test('waits, advances the clock and returns the time', async () => {
  const before = (await ask('GET', 'clock')).value['now'] as string;
  await ask('POST', 'idle', {});
  const { status, value } = await ask('POST', 'clock/advance', { by: '2h' });

  expect(status).toBe(200);
  expect(Date.parse(value['now'] as string) - Date.parse(before)).toBe(2 * 3600 * 1000);
});

test('takes snapshots and goes back to them', async () => {
  const { value } = await ask('POST', 'snapshots');
  await cluster.apply(configMap('left-over'));
  await ask('POST', 'reset', { snapshot: value['id'] });

  await expect(
    cluster.client.resource(configMaps).namespace('default').get('left-over'),
  ).rejects.toMatchObject({ code: 404 });
  expect(await ask('POST', 'reset', { snapshot: '99' })).toMatchObject({ status: 404 });
});

test('forks go their own way, and are stopped one by one', async () => {
  await cluster.apply(configMap('shared'));
  const { value } = await ask('POST', 'forks', {});
  expect(value).toMatchObject({ id: '1', kubeconfig: expect.stringContaining('"clusters"') as string });
  await cluster.client.resource(configMaps).namespace('default').delete('shared');

  expect((await ask('GET', 'forks')).value['items']).toMatchObject([{ id: '1' }]);
  expect(await ask('POST', 'forks/1/restart')).toMatchObject({ status: 404 });
  expect(await ask('POST', 'forks', { snapshot: '99' })).toMatchObject({ status: 404 });
  expect(await ask('DELETE', 'forks/1')).toMatchObject({ status: 200 });
  expect((await ask('GET', 'forks')).value).toEqual({ items: [] });
});

test('reports misspelt names', async () => {
  expect(await ask('POST', 'reset', { snap: '1' })).toMatchObject({
    status: 400,
    value: { message: 'the body has no option "snap": must be one of snapshot' },
  });
  expect(await ask('GET', 'requests?verbs=create')).toMatchObject({ status: 400 });
  expect(await ask('POST', 'clock/advance', {})).toMatchObject({
    status: 400,
    value: { message: expect.stringContaining('a duration must be a string such as') as string },
  });
});

test('answers that a fault holds back come over the port, too', async () => {
  const before = cluster.clock.now();
  const config = JSON.parse(await cluster.kubeconfig()) as {
    clusters: { cluster: { server: string } }[];
    users: { user: { token: string } }[];
  };
  await ask('POST', 'faults', { action: 'latency', delay: '40s', resource: 'configmaps', verb: 'list' });
  const server = new URL(config.clusters[0]!.cluster.server);
  const { request } = await import('node:https');
  const status = await new Promise((resolve, reject) => {
    request(
      {
        hostname: server.hostname,
        port: server.port,
        path: '/api/v1/configmaps',
        rejectUnauthorized: false,
        headers: { authorization: `Bearer ${config.users[0]!.user.token}` },
      },
      (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode));
      },
    )
      .once('error', reject)
      .end();
  });

  expect(status).toBe(200);
  expect(cluster.clock.now() - before).toBeGreaterThanOrEqual(40_000);
});

test('adds faults and takes them away', async () => {
  const { value } = await ask('POST', 'faults', { action: 'error', resource: 'configmaps', verb: 'create' });
  await expect(
    cluster.client.resource(configMaps).namespace('default').create(configMap('a')),
  ).rejects.toThrow();

  expect((await ask('DELETE', `faults/${String(value['id'])}`)).value).toEqual({ count: 1 });
  expect((await ask('GET', 'faults')).value).toEqual({ items: [] });
  expect(await ask('POST', 'faults', { action: 'explode' })).toMatchObject({
    status: 400,
    value: { message: expect.stringContaining('one of error') as string },
  });
});

test('returns the requests to the cluster, but not those to itself', async () => {
  await cluster.apply(web(1));
  await ask('POST', 'idle');
  const { value } = await ask('GET', 'requests?verb=create&resource=pods');

  expect(value['items']).toHaveLength(1);
  expect(cluster.requests().filter((request) => request.path.startsWith('/coxswain/'))).toEqual([]);
});

test('adds a node and takes it away', async () => {
  expect((await ask('POST', 'nodes', { name: 'big', labels: { size: 'big' } })).value).toEqual({
    name: 'big',
  });
  expect((await ask('GET', 'nodes')).value['items']).toContainEqual({ name: 'big' });
  expect(await ask('DELETE', 'nodes/big')).toMatchObject({ status: 200 });
  expect((await ask('GET', 'nodes')).value['items']).not.toContainEqual({ name: 'big' });
});

test('refuses unknown input', async () => {
  expect(await ask('POST', 'components/scheduler/explode')).toMatchObject({ status: 404 });
  expect(await ask('POST', 'nodes/nowhere/fail')).toMatchObject({ status: 400 });
  expect(await ask('GET', 'nothing')).toMatchObject({ status: 404 });
});

describe('the examples', () => {
  const runProgram = promisify(execFile);
  const has = async (program: string, flag: string) =>
    runProgram(program, [flag]).then(
      () => true,
      () => false,
    );
  const environment = async () => {
    const kubeconfig = path.join(directory, 'kubeconfig');
    writeFileSync(kubeconfig, await cluster.kubeconfig());
    return {
      ...process.env,
      KUBECONFIG: kubeconfig,
      GOFLAGS: '-mod=mod',
      NO_PROXY: '127.0.0.1',
      no_proxy: '127.0.0.1',
    };
  };

  test('in Python runs', async ({ skip }) => {
    if (!(await has('python3', '--version'))) skip('there is no python3');
    const { stderr } = await runProgram('python3', ['-m', 'unittest', 'test_deployment.py'], {
      cwd: examples,
      env: { ...(await environment()), PYTHONDONTWRITEBYTECODE: '1' },
    });
    expect(stderr).toContain('Ran 3 tests');
  }, 60_000);

  test('in Go runs', async ({ skip }) => {
    if (!(await has('go', 'version'))) skip('there is no Go');
    const { stdout } = await runProgram('go', ['test', '-count=1', 'deployment_test.go'], {
      cwd: examples,
      env: await environment(),
    });
    expect(stdout).toContain('ok');
  }, 180_000);
});
