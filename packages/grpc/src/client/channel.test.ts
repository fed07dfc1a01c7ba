import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { aborted, ManualClock, systemClock, type Clock } from '@coxswain/apimachinery';
import { field } from '@coxswain/protobuf';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serviceMethods } from '../method.ts';
import { answers, unary } from '../server/method.ts';
import { serveUnixGrpc, type GrpcServer } from '../server/serve-unix.ts';
import { GrpcError, grpcCodes, grpcFailureText } from '../status.ts';
import { answersOf, grpcClient } from './client.ts';

const Text = { text: field(1, 'string') };
const method = serviceMethods('test.Member');
const methods = { name: method('Name', Text, Text), write: method('Write', Text, Text) };
const follow = method('Follow', Text, Text);

let directory: string;
let servers: GrpcServer[];
/** Names of members without a leader. */
let lost: Set<string>;
let written: string[];
let client: ReturnType<typeof connected>;

const socketOf = (name: string): string => path.join(directory, `${name}.sock`);

const connected = (names: readonly string[], clock: Clock = systemClock) =>
  grpcClient(methods, {
    endpoints: names.map((name) => `unix://${socketOf(name)}`),
    clock,
    isNotBegun: ({ message }) => message === 'no leader',
  });

const member = (name: string): Promise<GrpcServer> => {
  const led = (): void => {
    if (lost.has(name)) throw new GrpcError(grpcCodes.unavailable, 'no leader');
  };
  return serveUnixGrpc(
    socketOf(name),
    {
      [methods.name.path]: unary(Text, Text, () => {
        led();
        return { text: name };
      }),
      [methods.write.path]: unary(Text, Text, ({ text }) => {
        led();
        written.push(`${text} by ${name}`);
        if (text === 'half') throw new GrpcError(grpcCodes.unavailable, 'timed out');
        return { text: name };
      }),
      [follow.path]: answers(Text, Text, async function* (_request, signal) {
        yield { text: name };
        await aborted(signal);
      }),
    },
    { messageBytesMax: 1000 },
  );
};

beforeEach(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'grpc-'));
  lost = new Set();
  written = [];
  servers = [await member('a'), await member('b')];
});

afterEach(async () => {
  client.close();
  await Promise.all(servers.map((server) => server.close()));
  rmSync(directory, { recursive: true });
});

test('an endpoint that says that it can not serve is left for the next, with the streams on it', async () => {
  client = connected(['a', 'b']);
  const following = answersOf(client.channel, follow, {}, new AbortController().signal);
  expect((await following.next()).value).toEqual({ text: 'a' });

  lost.add('a');
  expect(await client.name({}, { isIdempotent: true })).toEqual({ text: 'b' });

  const ended = await following.next().catch(grpcFailureText);
  expect(ended).toBe('rpc error: code = Unavailable desc = the endpoint is passed over');
  const again = answersOf(client.channel, follow, {}, new AbortController().signal);
  expect((await again.next()).value).toEqual({ text: 'b' });
  await again.return();
});

test('a call that was not begun is sent again; one of which that is not known is not', async () => {
  client = connected(['a', 'b']);
  lost.add('a');
  expect(await client.write({ text: 'whole' })).toEqual({ text: 'b' });
  expect(await client.write({ text: 'half' }).catch(grpcFailureText)).toBe(
    'rpc error: code = Unavailable desc = timed out',
  );
  expect(written).toEqual(['whole by b', 'half by b']);
});

test('an endpoint that no longer gives a sign of life is left for the next, long before the deadline', async () => {
  const sockets: Socket[] = [];
  // The first frame of a server, and nothing after it.
  const silent = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.write(Uint8Array.of(0, 0, 0, 4, 0, 0, 0, 0, 0));
  });
  await new Promise<void>((resolve) => void silent.listen(socketOf('silent'), resolve));
  const clock = new ManualClock(0);
  client = connected(['silent', 'b'], clock);
  const asked = client.name({}, { isIdempotent: true });
  let isAnswered = false;
  void asked.finally(() => (isAnswered = true));
  for (let seconds = 0; !isAnswered; seconds++) {
    expect(seconds).toBeLessThan(1_000);
    await new Promise<void>((resolve) => void setImmediate(resolve));
    // The time limit starts only after the call was sent.
    if (sockets.length > 0) await clock.advance(50);
  }
  expect(await asked).toEqual({ text: 'b' });
  expect(clock.monotonic()).toBeLessThan(20_000);
  for (const socket of sockets) socket.destroy();
  await new Promise<void>((resolve) => void silent.close(() => resolve()));
});
