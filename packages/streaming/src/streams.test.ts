/** Both sides of each protocol, joined in memory. */
import { duplexPair } from 'node:stream';
import type { Duplex } from 'node:stream';
import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import {
  bytesOf,
  clientWebSocketProtocols,
  commandOverSpdy,
  commandOverWebSocket,
  exited,
  failed,
  isWebSocketRequest,
  portForwardOver,
  requestHeaders,
  runRemoteCommand,
  servePortForward,
  serveRemoteCommand,
  spdyHeaders,
  success,
  webSocketTunnel,
} from './index.ts';
import type { CommandSession, CommandStatus, TerminalSize, UpgradeReply } from './index.ts';

const clock = new ManualClock();
const all = { stdin: true, stdout: true, stderr: true, tty: false };

function connected(reply: UpgradeReply) {
  if (reply.status !== 101) throw new Error(`${reply.status} ${reply.text}`);
  const [socket, other] = duplexPair();
  reply.accept(other, Buffer.alloc(0));
  return { socket, head: Buffer.alloc(0), headers: reply.headers };
}

function command(protocol: string, run: (session: CommandSession) => Promise<CommandStatus>, wanted = all) {
  const isWebSocket = (clientWebSocketProtocols as readonly string[]).includes(protocol);
  const headers = isWebSocket ? requestHeaders([protocol]).headers : spdyHeaders(protocol);
  const reply = serveRemoteCommand({ headers, wanted, clock, run });
  const { socket, head } = connected(reply);
  return (isWebSocket ? commandOverWebSocket : commandOverSpdy)({ socket, head, protocol });
}

async function* texts(...parts: string[]) {
  for (const part of parts) yield Buffer.from(part);
}

const commandProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io'];

/** Says what it hears, in capitals, and counts it on the other stream. */
async function shout({ stdin, stdout, stderr }: CommandSession): Promise<CommandStatus> {
  let bytes = 0;
  for await (const chunk of stdin!) {
    bytes += (chunk as Buffer).length;
    if (!stdout!.write(String(chunk).toUpperCase()))
      await new Promise((resolve) => stdout!.once('drain', resolve));
  }
  stderr!.write(`${bytes}`);
  return success;
}

test.each(commandProtocols)('over %s, input and both outputs pass, and each ends', async (protocol) => {
  let output = '';
  let errors = '';
  await runRemoteCommand(command(protocol, shout), {
    stdin: texts('hello ', 'world', 'x'.repeat(500_000)),
    stdout: (chunk) => void (output += String(chunk)),
    stderr: (chunk) => void (errors += String(chunk)),
    tty: false,
  });

  expect(output).toBe(`HELLO WORLD${'X'.repeat(500_000)}`);
  expect(errors).toBe('500011');
});

test.each(commandProtocols.slice(0, 2))('over %s, an exit code is an exit code', async (protocol) => {
  const running = command(protocol, async () => exited(3, 'it did'), { ...all, stdin: false });

  await expect(runRemoteCommand(running, { stdout() {}, stderr() {}, tty: false })).rejects.toMatchObject({
    code: 3,
    message: 'command terminated with exit code 3',
  });
});

test.each(commandProtocols)('over %s, a command that cannot run is told of', async (protocol) => {
  const running = command(protocol, async () => failed('no such thing'), { ...all, stdin: false });

  await expect(runRemoteCommand(running, { stdout() {}, stderr() {}, tty: false })).rejects.toThrow(
    'Internal error occurred: no such thing',
  );
});

test.each(commandProtocols.slice(0, 3))('over %s, sizes of the terminal arrive', async (protocol) => {
  const sizes: TerminalSize[] = [];
  const run = async (session: CommandSession) => {
    for await (const size of session.sizes!) if (sizes.push(size) === 2) break;
    return success;
  };
  await runRemoteCommand(command(protocol, run, { stdin: false, stdout: true, stderr: false, tty: true }), {
    stdout() {},
    tty: true,
    sizes: (async function* () {
      yield { width: 80, height: 24 };
      yield { width: 132, height: 50 };
    })(),
  });

  expect(sizes).toEqual([
    { width: 80, height: 24 },
    { width: 132, height: 50 },
  ]);
});

test('a command learns that its client has left', async () => {
  const started = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const run = async ({ signal }: CommandSession) => {
    started.resolve();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    left.resolve();
    return success;
  };
  const stop = new AbortController();
  const running = runRemoteCommand(command('v4.channel.k8s.io', run, { ...all, stdin: false }), {
    stdout() {},
    stderr() {},
    tty: false,
    signal: stop.signal,
  });
  await started.promise;
  stop.abort(new Error('enough'));

  await expect(running).rejects.toThrow();
  await left.promise;
});

test('a client that speaks no version that is served is told which are', () => {
  expect(serveRemoteCommand({ headers: spdyHeaders('v9'), wanted: all, clock, run: shout })).toMatchObject({
    status: 403,
    text: 'unable to upgrade: unable to negotiate protocol: client supports [v9], server accepts [v4.channel.k8s.io v3.channel.k8s.io v2.channel.k8s.io channel.k8s.io]\n',
  });
});

const echo = async (port: number, data: Duplex) => {
  if (port === 81) throw new Error('connection refused');
  data.write(`${port}:`);
  for await (const chunk of bytesOf(data)) data.write(chunk);
};

test.each([
  ['SPDY', spdyHeaders('portforward.k8s.io')],
  ['SPDY in a WebSocket', requestHeaders(['SPDY/3.1+portforward.k8s.io']).headers],
])('%s carries several connections to ports at once', async (_name, headers) => {
  const { socket } = connected(servePortForward({ headers, ports: [], clock, forward: echo }));
  const carrier = isWebSocketRequest(headers) ? webSocketTunnel({ socket, side: 'client' }) : socket;
  const forwarding = portForwardOver(carrier);
  const answers = await Promise.all(
    [80, 8080, 443].map(async (port) => {
      const { data } = await forwarding.forward(port);
      data.end('hi');
      let text = '';
      for await (const chunk of data) text += String(chunk);
      return text;
    }),
  );

  expect(answers).toEqual(['80:hi', '8080:hi', '443:hi']);
  const refused = await forwarding.forward(81);
  expect(await refused.failure).toBe('connection refused');
  forwarding.close();
  await forwarding.closed;
});
