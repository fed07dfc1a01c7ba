/** No command asks the server for more than the original's does; original.json tells what that asks. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Transport, TransportRequest, UpgradeResponse } from '@coxswain/client';
import { runKubectl } from '@coxswain/kubectl';
import { recordedIo } from '@coxswain/kubectl/testing/recorded-io.ts';
import { createCluster, type TestCluster } from '../../packages/coxswain/src/testing/index.ts';
import { files, objects } from './objects.ts';

interface Listened {
  readonly command: string;
  /** In order, with the discovery that an empty cache needs. */
  readonly requests: readonly string[];
}

const original = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'original.json'), 'utf8'),
) as Readonly<Record<string, Listened>>;

let cluster: TestCluster;
let directory: string;

beforeAll(async () => {
  const without = { controllers: false, scheduler: false, nodes: 0, metrics: false } as const;
  cluster = await createCluster({ ...without, clock: 'system' });
  directory = mkdtempSync(path.join(tmpdir(), 'kubectl-requests-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text);
  await cluster.apply(objects);
  const pods = cluster.client.resource('v1', 'pods').namespace('default');
  const containerStatuses = [{ name: 'main', ready: true, image: 'x', imageID: '', restartCount: 0 }];
  await pods.patch(
    'r',
    { status: { phase: 'Running', containerStatuses } },
    { type: 'merge', subresource: 'status' },
  );
}, 60_000);

afterAll(async () => {
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
});

// In the order in which the original was listened to: what one makes the next one changes.
for (const [name, { command, requests }] of Object.entries(original)) {
  test(`${name}: no more requests than the original`, async () => {
    const asked = await requestsOf(wordsOf(command), name === 'exec-running');
    const left = requests.map(pathOnly);
    const beyond = asked.filter((request) => {
      const at = left.indexOf(request);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
    expect({ beyond, most: Math.max(asked.length, requests.length) }).toEqual({
      beyond: [],
      most: requests.length,
    });
    expect(asked.length).toBeGreaterThan(0);
  }, 30_000);
}

/** @param isRunning whether a connection is taken and goes on, instead of being refused */
async function requestsOf(args: readonly string[], isRunning: boolean): Promise<string[]> {
  const asked: string[] = [];
  const stop = new AbortController();
  const note = ({ method, path: asking }: TransportRequest) => asked.push(pathOnly(`${method} ${asking}`));
  const transport: Transport = {
    ...seen(cluster.transport),
    send: (request) => {
      note(request);
      return cluster.transport.send(request);
    },
    upgrade: async (request): Promise<UpgradeResponse> => {
      note(request);
      if (isRunning) return new Promise(() => {});
      return refusal;
    },
  };
  const io = recordedIo({
    transport,
    clock: cluster.clock,
    workingDirectory: directory,
    env: { EDITOR: 'edit' },
    signal: stop.signal,
    spawn: async (_program, words) => {
      const file = words.at(-1)!.split(' ').at(-1)!;
      writeFileSync(file, readFileSync(file, 'utf8').replace('k: v', 'k: w'));
      return 0;
    },
  });
  const timer = setTimeout(() => stop.abort(), longestMs);
  const ended = new Promise((resolve) => stop.signal.addEventListener('abort', resolve));
  await Promise.race([runKubectl(args, io), ended]);
  clearTimeout(timer);
  return asked;
}

/** Commands that would go on, as `get --watch`, are ended then. */
const longestMs = 2000;

const seen = ({ structured, address }: Transport) => ({ structured, address, close: async () => {} });

const refusal: UpgradeResponse = {
  status: 400,
  headers: {},
  bytes: async () => new Uint8Array(),
  async *stream() {},
};

/** Queries differ in hashes, versions and continue tokens. */
const pathOnly = (request: string): string =>
  request.replace(/\?.*/, '').replace(/\/namespaces\/[^/]+/, '/namespaces/NS');

const wordsOf = (command: string): string[] => command.split(' ');
