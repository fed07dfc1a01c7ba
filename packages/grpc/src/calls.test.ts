import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { aborted, systemClock } from '@coxswain/apimachinery';
import { field } from '@coxswain/protobuf';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answersOf, grpcClient } from './client/client.ts';
import { serviceMethods } from './method.ts';
import { answers, stream, unary } from './server/method.ts';
import { serveUnixGrpc, type GrpcServer } from './server/serve-unix.ts';
import { GrpcError, grpcCodes, grpcFailureText } from './status.ts';

const Text = { text: field(1, 'string') };
const method = serviceMethods('test.Echo');
const methods = {
  say: method('Say', Text, Text),
  fail: method('Fail', Text, Text),
  break: method('Break', Text, Text),
  missing: method('Missing', Text, Text),
  wait: method('Wait', Text, Text),
};
const count = method('Count', Text, Text);
const all = method('All', Text, Text);

let directory: string;
let server: GrpcServer;
let client: ReturnType<typeof connected>;
let left: Promise<void>;

const connected = () =>
  grpcClient(methods, { endpoints: [`unix://${directory}/echo.sock`], service: 'echo', clock: systemClock });

async function* counted(until: number, signal: AbortSignal) {
  for (let i = 0; i < until; i++) yield { text: String(i) };
  if (until > 3) await aborted(signal);
}

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'grpc-'));
  const leaving = Promise.withResolvers<void>();
  left = leaving.promise;
  server = await serveUnixGrpc(
    path.join(directory, 'echo.sock'),
    {
      [methods.say.path]: unary(Text, Text, (request) => request),
      [methods.fail.path]: unary(Text, Text, ({ text }) => {
        throw new GrpcError(grpcCodes.notFound, text);
      }),
      [methods.break.path]: unary(Text, Text, async () => {
        throw new Error('out of order');
      }),
      [methods.wait.path]: unary(Text, Text, async (request, { signal }) => {
        await aborted(signal);
        leaving.resolve();
        return request;
      }),
      [count.path]: answers(Text, Text, ({ text }, signal) => counted(Number(text), signal)),
      [all.path]: stream(Text, Text, async ({ requests, send }) => {
        let text = '';
        for await (const request of requests) text += request.text;
        send({ text });
      }),
    },
    { messageBytesMax: 1000 },
  );
  client = connected();
});

afterEach(async () => {
  client.close();
  await server.close();
  rmSync(directory, { recursive: true });
});

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'none',
    (thrown: unknown) => grpcFailureText(thrown),
  );

test('a call is answered, and fails in the words of the one who answers', async () => {
  expect(await client.say({ text: 'hello' })).toEqual({ text: 'hello' });
  expect(await failure(client.fail({ text: 'no ☃, 100 %' }))).toBe(
    'rpc error: code = NotFound desc = no ☃, 100 %',
  );
  expect(await failure(client.break({}))).toBe('rpc error: code = Unknown desc = out of order');
  expect(await failure(client.missing({}))).toBe(
    'rpc error: code = Unimplemented desc = unknown method Missing for service test.Echo',
  );
});

test('what is larger than the server takes is refused', async () => {
  expect(await failure(client.say({ text: 'x'.repeat(2000) }))).toBe(
    'rpc error: code = ResourceExhausted desc = grpc: received message larger than max (2003 vs. 1000)',
  );
  expect(await client.say({ text: 'still there' })).toEqual({ text: 'still there' });
});

test('answers come until there are no more, or until who asked has enough', async () => {
  const texts = await Array.fromAsync(
    answersOf(client.channel, count, { text: '3' }, new AbortController().signal),
    ({ text }) => text,
  );
  expect(texts).toEqual(['0', '1', '2']);

  const enough = new AbortController();
  const seen: string[] = [];
  await expect(async () => {
    for await (const { text } of answersOf(client.channel, count, { text: '5' }, enough.signal)) {
      seen.push(text);
      if (seen.length === 5) enough.abort();
    }
  }).rejects.toThrow();
  expect(seen).toHaveLength(5);
});

test('a server hears that a client is gone', async () => {
  const gone = new AbortController();
  const call = client.wait({}, { signal: gone.signal });
  await client.say({});
  gone.abort();
  await expect(call).rejects.toThrow();
  await left;
});

test('nothing answers where no server is: the call is given up in time', async () => {
  await server.close();
  expect(await failure(client.say({}, { timeoutMs: 1 }))).toMatch(
    /^rpc error: code = DeadlineExceeded desc = context deadline exceeded: no echo endpoint answers \(unix:/,
  );
});
