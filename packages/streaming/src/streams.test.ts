/** Both sides of each protocol, joined in memory. */
import { duplexPair, type Duplex } from 'node:stream';
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
  joinSockets,
  portForwardOver,
  requestHeaders,
  runRemoteCommand,
  servePortForward,
  serveRemoteCommand,
  spdyHeaders,
  success,
  translateCommand,
  tunnelPortForward,
  webSocketTunnel,
  type CommandSession,
  type CommandStatus,
  type RequestHeaders,
  type TerminalSize,
  type UpgradeReply,
} from './index.ts';

const clock = new ManualClock();
const all = { stdin: true, stdout: true, stderr: true, tty: false };

function connected(reply: UpgradeReply) {
  if (!('accept' in reply)) throw new Error(`${reply.status} ${reply.text}`);
  const [socket, other] = duplexPair();
  reply.accept(other, Buffer.alloc(0));
  return { socket, head: Buffer.alloc(0), headers: reply.headers };
}

type Run = (session: CommandSession) => Promise<CommandStatus>;

/** A protocol, or two with a translation between them. */
function command(protocols: string, run: Run, wanted = all) {
  const [protocol = '', translated] = protocols.split(' → ');
  const isWebSocket = (clientWebSocketProtocols as readonly string[]).includes(protocol);
  const headers = isWebSocket ? requestHeaders([protocol]).headers : spdyHeaders(protocol);
  const reply =
    translated === undefined
      ? serveRemoteCommand({ headers, wanted, clock, run })
      : translateCommand({
          headers,
          wanted,
          async ask(asked) {
            expect(asked).toContain(translated);
            const answered = serveRemoteCommand({ headers: spdyHeaders(translated), wanted, clock, run });
            return { ...connected(answered), protocol: translated };
          },
        });
  const { socket, head } = connected(reply);
  return (isWebSocket ? commandOverWebSocket : commandOverSpdy)({ socket, head, protocol });
}

async function* texts(...parts: string[]) {
  for (const part of parts) yield Buffer.from(part);
}

const commandProtocols = [
  'v5.channel.k8s.io',
  'v5.channel.k8s.io → v4.channel.k8s.io',
  'v4.channel.k8s.io',
  'v5.channel.k8s.io → v2.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
];

/** Echoes its input in capitals, and counts it on the other stream. */
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

test.each(commandProtocols.slice(0, 3))('over %s, an exit code is an exit code', async (protocol) => {
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

test.each(commandProtocols)('over %s, a command learns that its client has left', async (protocol) => {
  const started = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const run = async ({ signal }: CommandSession) => {
    started.resolve();
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    left.resolve();
    return success;
  };
  const stop = new AbortController();
  const running = runRemoteCommand(command(protocol, run, { ...all, stdin: false }), {
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

const tunnel = 'SPDY/3.1+portforward.k8s.io';

test.each([
  [{ status: 400, headers: {}, text: 'no such container\n' }, 'no such container'],
  [{ status: 403, headers: {}, text: '{"kind":"Status","message":"not you"}' }, 'not you'],
  [{ status: 503, headers: {}, text: '' }, 'empty server response'],
])('what refuses a command behind a translation is told as its end', async (refused, why) => {
  const codes: number[] = [];
  const { headers } = requestHeaders(['v5.channel.k8s.io']);
  const onAnswer = (code: number) => void codes.push(code);
  const translation = translateCommand({ headers, wanted: all, ask: async () => refused, onAnswer });
  const { socket, head } = connected(translation);
  const running = commandOverWebSocket({ socket, head, protocol: 'v5.channel.k8s.io' });

  await expect(runRemoteCommand(running, { stdout() {}, tty: false })).rejects.toThrow(
    `Internal error occurred: unable to upgrade connection: ${why}`,
  );
  expect(codes).toEqual([500]);
});

test('what refuses a port forward behind a tunnel is the answer', async () => {
  const refused = { status: 404, headers: { 'x-from': 'kubelet' }, text: 'pod does not exist\n' };

  expect(await tunnelPortForward(requestHeaders([tunnel]).headers, async () => refused)).toEqual(refused);
});

test('the last words of one side still reach the other', async () => {
  const [client, near] = duplexPair();
  const [server, far] = duplexPair();
  joinSockets({ socket: near, head: Buffer.alloc(0) }, { socket: server, head: Buffer.from('first ') });
  far.end('x'.repeat(500_000));
  far.resume().once('end', () => far.destroy());
  let text = '';
  for await (const chunk of client) text += String(chunk);

  expect(text).toBe(`first ${'x'.repeat(500_000)}`);
});

const echo = async (port: number, data: Duplex) => {
  if (port === 81) throw new Error('connection refused');
  data.write(`${port}:`);
  for await (const chunk of bytesOf(data)) data.write(chunk);
};

test.each([
  ['SPDY', spdyHeaders('portforward.k8s.io')],
  ['SPDY in a WebSocket', requestHeaders([tunnel]).headers],
  ['SPDY that is taken out of a WebSocket', requestHeaders([tunnel]).headers],
])('%s carries several connections to ports at once', async (name, headers) => {
  const serve = (asked: RequestHeaders) =>
    servePortForward({ headers: asked, ports: [], clock, forward: echo });
  const reply = name.includes('taken out')
    ? await tunnelPortForward(headers, async ([protocol = '']) => {
        return { ...connected(serve(spdyHeaders(protocol))), protocol };
      })
    : serve(headers);
  const { socket, headers: answered } = connected(reply);
  if (isWebSocketRequest(headers)) expect(answered['sec-websocket-protocol']).toBe(tunnel);
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
