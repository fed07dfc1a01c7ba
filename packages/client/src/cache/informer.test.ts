import {
  ManualClock,
  expired,
  invalid,
  seededRandom,
  type KubeObject,
  type WatchEvent,
} from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { createClient } from '../resource/kube-client.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { Informer, type InformerOptions } from './informer.ts';

test('an informer lists, then follows the watch, and tells its handlers in order', async () => {
  const server = new TinyServer([pod('a', 1)]);
  const { informer, seen, stop } = start(server);
  await informer.synced;

  server.sendEvent({ type: 'ADDED', object: pod('b', 2) });
  server.sendEvent({ type: 'MODIFIED', object: pod('a', 3) });
  server.sendEvent({ type: 'DELETED', object: pod('b', 4) });
  await server.settled();

  expect(seen).toEqual(['+a initial', '+b', '~a', '-b']);
  expect(informer.lister.list().map((object) => object.metadata.resourceVersion)).toEqual(['3']);
  await stop();
});

test('an expired watch is followed by a new list, and what vanished meanwhile is reported as deleted', async () => {
  const server = new TinyServer([pod('a', 1), pod('b', 1)]);
  const { informer, seen, stop } = start(server);
  await informer.synced;

  server.objects = [pod('a', 9)];
  server.fail(expired('too old resource version'));
  await server.settled();

  expect(seen.slice(2)).toEqual(['~a', '-b missed']);
  await stop();
});

test('with watchList, a single request brings the objects and then their changes', async () => {
  const server = new TinyServer([pod('a', 1)]);
  server.sendEvent({ type: 'MODIFIED', object: pod('a', 2) });
  const { informer, seen, stop } = start(server, { watchList: true });
  await informer.synced;
  server.sendEvent({ type: 'ADDED', object: pod('b', 3) });
  await server.settled();

  expect(seen).toEqual(['+a initial', '~a', '+b']);
  expect(server.requests).toHaveLength(1);
  await stop();
});

test('with watchList, a server that refuses initial events is listed instead', async () => {
  const server = new TinyServer([pod('a', 1)]);
  server.refusesInitialEvents = true;
  const { informer, seen, errors, stop } = start(server, { watchList: true });
  await informer.synced;
  server.sendEvent({ type: 'ADDED', object: pod('b', 2) });
  await server.settled();

  expect(seen).toEqual(['+a initial', '+b']);
  expect(errors).toEqual([]);
  await stop();
});

test('a failing list is tried again after a delay', async () => {
  const server = new TinyServer([pod('a', 1)]);
  server.refuseLists = 2;
  const { clock, informer, errors, stop } = start(server);

  await clock.advance(10_000);
  await informer.synced;

  expect(errors).toHaveLength(2);
  await stop();
});

test('an index is kept up to date when an object moves from one value to another', async () => {
  const server = new TinyServer([pod('a', 1, 'node-1')]);
  const { informer, stop } = start(server);
  informer.addIndex('node', (object) => [(object as { spec?: { nodeName?: string } }).spec?.nodeName ?? '']);
  await informer.synced;

  server.sendEvent({ type: 'MODIFIED', object: pod('a', 2, 'node-2') });
  await server.settled();

  expect(informer.lister.byIndex('node', 'node-1')).toEqual([]);
  expect(informer.lister.byIndex('node', 'node-2')).toHaveLength(1);
  await stop();
});

function start(server: TinyServer, options: Pick<InformerOptions<KubeObject>, 'watchList'> = {}) {
  const clock = new ManualClock();
  const seen: string[] = [];
  const errors: unknown[] = [];
  const informer = new Informer<KubeObject>({
    ...options,
    resource: createClient({ transport: server, clock }).resource('v1', 'pods'),
    clock,
    random: seededRandom(1),
    onError: (error) => errors.push(error),
  });
  informer.addHandler({
    added: (object, initial) => seen.push(`+${object.metadata.name}${initial ? ' initial' : ''}`),
    updated: (_before, after) => seen.push(`~${after.metadata.name}`),
    deleted: (object, missed) => seen.push(`-${object.metadata.name}${missed ? ' missed' : ''}`),
  });
  const stopping = new AbortController();
  const run = informer.run(stopping.signal);
  return {
    clock,
    informer,
    seen,
    errors,
    stop: async () => {
      stopping.abort();
      server.end();
      await run;
    },
  };
}

const pod = (name: string, version: number, nodeName?: string): KubeObject =>
  ({
    metadata: { name, namespace: 'default', resourceVersion: String(version) },
    spec: { nodeName },
  }) as KubeObject;

/** Lists its objects, and sends events from the test to its single watch. */
class TinyServer implements Transport {
  readonly structured = true;
  readonly address = 'in-process:';
  objects: KubeObject[];
  refuseLists = 0;
  refusesInitialEvents = false;
  readonly requests: string[] = [];
  #pending: (WatchEvent<KubeObject> | Error | 'end')[] = [];
  #wake: () => void = () => {};

  constructor(objects: KubeObject[]) {
    this.objects = objects;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    this.requests.push(request.path);
    const isInitial = request.path.includes('sendInitialEvents=true');
    if (isInitial && this.refusesInitialEvents) {
      const { status } = invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', []);
      return answer({ status: 422, bytes: async () => new TextEncoder().encode(JSON.stringify(status)) });
    }
    if (request.path.includes('watch=true')) return answer({ events: this.#events(isInitial) });
    if (this.refuseLists-- > 0) throw new Error('connection refused');
    return answer({ object: { metadata: { resourceVersion: '1' }, items: this.objects } });
  }

  fail(error: Error): void {
    this.#push(error);
  }

  end(): void {
    this.#push('end');
  }

  /** Passes the event to the watch, like an in-process server. */
  sendEvent(event: WatchEvent<KubeObject>): void {
    this.#push(event);
  }

  async settled(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  async close(): Promise<void> {}

  #push(item: WatchEvent<KubeObject> | Error | 'end'): void {
    this.#pending.push(item);
    this.#wake();
  }

  async *#events(isInitial: boolean): AsyncGenerator<readonly WatchEvent<KubeObject>[]> {
    if (isInitial) yield [...this.objects.map((object) => ({ type: 'ADDED' as const, object })), initialEnd];
    for (;;) {
      while (this.#pending.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
      const item = this.#pending.shift()!;
      if (item === 'end') return;
      if (item instanceof Error) throw item;
      yield [item];
    }
  }
}

const initialEnd: WatchEvent<KubeObject> = {
  type: 'BOOKMARK',
  object: {
    metadata: { resourceVersion: '1', annotations: { 'k8s.io/initial-events-end': 'true' } },
  } as never,
};

function answer(parts: Partial<TransportResponse>): TransportResponse {
  return {
    status: 200,
    headers: {},
    bytes: async () => new Uint8Array(),
    async *stream() {},
    ...parts,
  };
}
