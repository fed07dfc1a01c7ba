import { StatusError, isStatusError } from '@coxswain/apimachinery';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { Calls, type Port } from './calls.ts';

const ports: MessagePort[] = [];
afterEach(() => ports.splice(0).forEach((port) => port.close()));

/** Returns `entry` as the other side of a channel sees it. */
function seen<T>(entry: object): T {
  const { port1, port2 } = new MessageChannel();
  for (const port of [port1, port2]) {
    port.start();
    ports.push(port);
  }
  new Calls(port2 as unknown as Port, { entry, refersTo: true });
  return new Calls(port1 as unknown as Port, { refersTo: false }).entry as T;
}

test('methods are called, and members are asked for, at any depth', async () => {
  const clock = { nowMs: 3, advance: (ms: number) => (clock.nowMs += ms) };
  const there = seen<{ clock: { nowMs: Promise<number>; advance(ms: number): Promise<number> } }>({ clock });
  expect(await there.clock.advance(4)).toBe(7);
  expect(await there.clock.nowMs).toBe(7);
});

test('functions, signals and iterables work in both directions', async () => {
  async function* counted(count: number, print: (line: string) => void, signal: AbortSignal) {
    for (let at = 0; at < count && !signal.aborted; at++) {
      print(`line ${at}`);
      yield at;
    }
  }
  const there = seen<{
    counted(...args: Parameters<typeof counted>): Promise<AsyncIterable<number>>;
    sum(numbers: AsyncIterable<number>): Promise<number>;
  }>({
    counted,
    async sum(numbers: AsyncIterable<number>) {
      return (await Array.fromAsync(numbers)).reduce((sum, number) => sum + number, 0);
    },
  });
  const lines: string[] = [];
  const over = new AbortController();
  for await (const number of await there.counted(1000, (line) => lines.push(line), over.signal))
    if (number === 2) over.abort(new Error('enough'));
  expect(lines.slice(0, 3)).toEqual(['line 0', 'line 1', 'line 2']);
  expect(lines.length).toBeLessThan(10);
  const numbers = (async function* () {
    yield* [1, 2, 3];
  })();
  expect(await there.sum(numbers)).toBe(6);
});

test('leaving an iteration early ends it on the other side', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<string>();
  async function* endless() {
    try {
      for (;;) yield 1;
    } finally {
      end('ended');
    }
  }
  const there = seen<{ endless(): Promise<AsyncIterable<number>> }>({ endless });
  for await (const _ of await there.endless()) break;
  expect(await ended).toBe('ended');
});

test('requests and answers cross with their bodies', async () => {
  const there = seen<{ serve(request: Request): Promise<Response> }>({
    serve: async (request: Request) =>
      new Response(`${request.method} ${request.url} ${request.headers.get('x-a')} ${await request.text()}`, {
        status: 201,
        headers: { 'x-b': '2' },
      }),
  });
  const request = new Request('http://web.default/a', {
    method: 'POST',
    body: 'an order',
    headers: { 'x-a': '1' },
  });
  const answer = await there.serve(request);
  expect([answer.status, answer.headers.get('x-b'), await answer.text()]).toEqual([
    201,
    '2',
    'POST http://web.default/a 1 an order',
  ]);
});

test('an error is one of the same kind', async () => {
  const there = seen<{ fail(error: Error): Promise<never> }>({
    fail: (error: Error) => Promise.reject(error),
  });
  const missing: unknown = await there
    .fail(new StatusError(404, 'NotFound', 'pods "a" not found'))
    .catch((error) => error);
  expect(isStatusError(missing, 'NotFound')).toBe(true);
  await expect(there.fail(new TypeError('no number'))).rejects.toThrow(TypeError);
});

test('objects of classes stay where they are and are known again', async () => {
  class Snapshot {
    readonly #secret = 7;
    secret = () => this.#secret;
  }
  const there = seen<{
    take(): Promise<{ revision: number; kept: object }>;
    secret(from: object): Promise<number>;
  }>({
    take: () => ({ revision: 5, kept: new Snapshot() }),
    secret: ({ kept }: { kept: Snapshot }) => kept.secret(),
  });
  const taken = await there.take();
  expect(taken.revision).toBe(5);
  expect(await there.secret(taken)).toBe(7);
});

test('a value that cannot cross is refused with its position', async () => {
  class Shop {
    readonly orders = 1;
  }
  const there = seen<{ take(value: unknown): Promise<void> }>({ take: () => {} });
  await expect(there.take({ list: [new Shop()] })).rejects.toThrow(
    'a Shop cannot cross to the worker of the cluster (0.list.0): only data, functions,',
  );
  const own: Record<string, unknown> = {};
  own['own'] = own;
  await expect(there.take(own)).rejects.toThrow('a value that contains itself cannot cross');
});

test('data that looks like a stand-in is data', async () => {
  const there = seen<{ echo(value: unknown): Promise<unknown> }>({ echo: (value: unknown) => value });
  const value = { data: { value: 1 }, placed: [{ at: ['value'], is: 'function' }] };
  expect(await there.echo(value)).toEqual(value);
});

test('an iteration that the other side drops ends here, begun or not', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const ended: string[] = [];
  const there = seen<{ endless(name: string): Promise<AsyncIterable<number>> }>({
    endless: (name: string): AsyncIterableIterator<number> => ({
      next: async () => ({ done: false, value: 1 }),
      async return() {
        ended.push(name);
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    }),
  });
  await (async () => {
    await there.endless('never begun');
    const begun = await there.endless('begun');
    await begun[Symbol.asyncIterator]().next();
  })();
  await vi.waitFor(() => {
    collect();
    expect(ended.toSorted()).toEqual(['begun', 'never begun']);
  });
});
