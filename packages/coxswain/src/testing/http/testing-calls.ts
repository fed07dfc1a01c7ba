/** The operations of a test cluster over HTTP, by method and path. */

import { StatusError } from '@coxswain/apimachinery';
import type { Fault } from '../faults/fault-rules.ts';
import { checkWords } from '../known-words.ts';
import type { RequestPattern } from '../requests/request-log.ts';
import type { TestCluster, TestSnapshot } from '../../../types/testing.d.ts';
import type { NewNode } from '../test-nodes.ts';
import type { AsUser } from '../users.ts';
import { durationMs, type Duration } from '../virtual-clock.ts';

export interface TestingCall {
  /** The values of the path's wildcards. */
  readonly names: readonly string[];
  /** The body. */
  readonly text: string;
  readonly parameters: URLSearchParams;
}

/** By `METHOD path`, without the path's prefix. */
export type TestingCalls = Readonly<Record<string, (call: TestingCall) => unknown>>;

/** Each is a whole cluster, with its own controllers and nodes. */
const forksMax = 8;

export interface Testing {
  readonly calls: TestingCalls;
  /** Stops the forked clusters. */
  close(): Promise<void>;
}

export function testingOf(cluster: TestCluster): Testing {
  const snapshots = numbered<TestSnapshot>('snapshot');
  const forks = numbered<TestCluster>('fork');
  const calls = { ...callsOf(cluster, snapshots), ...forkCalls(cluster, snapshots, forks) };
  return {
    calls,
    close: async () => void (await Promise.all(forks.all().map(([, fork]) => fork.stop()))),
  };
}

type Numbered<T> = ReturnType<typeof numbered<T>>;

const timeOf = (cluster: TestCluster): string => new Date(cluster.clock.now()).toISOString();

const forkCalls = (
  cluster: TestCluster,
  snapshots: Numbered<TestSnapshot>,
  forks: Numbered<TestCluster>,
): TestingCalls => ({
  'GET forks': () => ({ items: forks.all().map(([id, fork]) => ({ id, now: timeOf(fork) })) }),
  'POST forks': async ({ text }) => {
    const { snapshot } = given<{ snapshot?: string }>(text, ['snapshot']);
    if (forks.all().length >= forksMax)
      throw new StatusError(409, 'Conflict', `there are ${forksMax} forks: remove one first`);
    const fork = await cluster.fork(snapshot === undefined ? undefined : snapshots.get(snapshot));
    return { id: forks.add(fork), kubeconfig: await fork.kubeconfig() };
  },
  'POST forks/*/*': async ({ names: [id, what] }) => {
    if (what !== 'ui') throw new StatusError(404, 'NotFound', `no forks/${id}/${what}`);
    return { link: await forks.get(id).ui() };
  },
  'DELETE forks/*': ({ names: [id] }) => forks.take(id).stop(),
});

function callsOf(cluster: TestCluster, snapshots: Numbered<TestSnapshot>): TestingCalls {
  const faults = numbered<ReturnType<TestCluster['faults']['add']>>('fault');
  const now = () => ({ now: timeOf(cluster) });
  return {
    'GET seed': () => ({ seed: cluster.seed }),
    'GET clock': now,
    async 'POST clock/*'({ names: [action], text }) {
      if (action !== 'advance') throw new StatusError(404, 'NotFound', `no clock/${action}`);
      await cluster.clock.advance(given<{ by: Duration }>(text, ['by']).by);
      return now();
    },
    async 'POST idle'({ text }) {
      const { quiet, timeoutMs } = given<{ quiet?: Duration; timeoutMs?: number }>(text, [
        'quiet',
        'timeoutMs',
      ]);
      await cluster.idle({
        ...(quiet !== undefined && { quietMs: durationMs(quiet) }),
        ...(timeoutMs !== undefined && { timeoutMs }),
      });
      return now();
    },
    'POST snapshots': () => ({ id: snapshots.add(cluster.snapshot()) }),
    'DELETE snapshots/*': ({ names: [id] }) => void snapshots.take(id),
    async 'POST reset'({ text }) {
      const { snapshot } = given<{ snapshot?: string }>(text, ['snapshot']);
      await cluster.reset(snapshot === undefined ? undefined : snapshots.get(snapshot));
    },
    'GET faults': () => ({ items: cluster.faults.list().map(({ fault, count }) => ({ ...fault, count })) }),
    'POST faults': ({ text }) => ({ id: faults.add(cluster.faults.add(given<Fault>(text))) }),
    'DELETE faults': () => cluster.faults.clear(),
    'DELETE faults/*': ({ names: [id] }) => {
      const fault = faults.take(id);
      fault.remove();
      return { count: fault.count };
    },
    'GET requests': ({ parameters }) => ({ items: cluster.requests(patternOf(parameters)) }),
    'DELETE requests': () => cluster.requests.clear(),
    'POST apply': async ({ text }) => ({ items: await cluster.apply(text) }),
    'GET components': () => ({
      items: cluster.components.names.map((name) => ({ name, running: cluster.components.isRunning(name) })),
    }),
    'POST components/*/*': ({ names: [name = '', action = ''] }) =>
      actionOf(action, {
        start: () => cluster.components.start(name),
        stop: () => cluster.components.stop(name),
        restart: () => cluster.components.restart(name),
      }),
    'GET nodes': () => ({ items: cluster.nodes.names.map((name) => ({ name })) }),
    'POST nodes': async ({ text }) => ({ name: await cluster.nodes.add(given<NewNode>(text)) }),
    'DELETE nodes/*': ({ names: [name = ''] }) => cluster.nodes.remove(name),
    'POST nodes/*/*': ({ names: [name = '', action = ''] }) =>
      actionOf(action, { fail: () => cluster.nodes.fail(name), recover: () => cluster.nodes.recover(name) }),
    'POST kubeconfig': async ({ text }) => ({
      kubeconfig: await cluster.as(given<{ user: AsUser }>(text, ['user']).user).kubeconfig(),
    }),
    'GET history': async () => ({ digest: await cluster.history.digest() }),
  };
}

/** @throws SyntaxError for invalid JSON, TypeError for an unknown field */
function given<T>(text: string, words?: readonly string[]): T {
  const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
  if (words !== undefined) checkWords('the body', value, words);
  return value as T;
}

const patternOf = (parameters: URLSearchParams): RequestPattern =>
  Object.fromEntries([...new Set(parameters.keys())].map((key) => [key, parameters.getAll(key)]));

async function actionOf(
  name: string,
  actions: Readonly<Record<string, () => Promise<void>>>,
): Promise<undefined> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined)
    throw new StatusError(
      404,
      'NotFound',
      `unknown action "${name}": must be one of ${Object.keys(actions).join(', ')}`,
    );
  await action();
}

/** Values that a client refers to by number. */
function numbered<T>(what: string) {
  const values = new Map<string, T>();
  let last = 0;
  const get = (id = ''): T => {
    const value = values.get(id);
    if (value === undefined) throw new StatusError(404, 'NotFound', `no ${what} "${id}"`);
    return value;
  };
  return {
    add(value: T): string {
      const id = String(++last);
      values.set(id, value);
      return id;
    },
    get,
    all: (): readonly (readonly [id: string, value: T])[] => [...values],
    take(id = ''): T {
      const value = get(id);
      values.delete(id);
      return value;
    },
  };
}
