/** A tunnel through a SOCKS5 proxy (RFC 1928), with user name and password if required (RFC 1929). */

import { connect, isIP, type Socket } from 'node:net';

const version = 5;
const passwordVersion = 1;
const method = { none: 0, password: 2, refused: 0xff } as const;
const connectCommand = 1;
const addressType = { v4: 1, name: 3, v6: 4 } as const;
const portLength = 2;
const defaultPort = 1080;

/** How long a silent proxy is awaited. */
const handshakeMs = 30_000;

const refusals = [
  '',
  'general SOCKS server failure',
  'connection not allowed by ruleset',
  'network unreachable',
  'host unreachable',
  'connection refused',
  'TTL expired',
  'command not supported',
  'address type not supported',
];

/** The proxy resolves names, as in Go. @throws Error if it refuses */
export async function tunnelThroughSocks(proxy: URL, host: string, port: number): Promise<Socket> {
  const proxyPort = Number(proxy.port || defaultPort);
  const socket = connect({ host: proxy.hostname.replace(/^\[|\]$/g, ''), port: proxyPort });
  const reader = new ExactReader(socket);
  socket.setTimeout(handshakeMs, () => socket.destroy(new Error('socks connect: i/o timeout')));
  try {
    await greet(socket, reader, proxy);
    await ask(socket, reader, host, port);
  } catch (failure) {
    socket.destroy();
    throw failure;
  }
  socket.setTimeout(0);
  reader.release();
  return socket;
}

async function greet(socket: Socket, reader: ExactReader, proxy: URL): Promise<void> {
  const methods = proxy.username === '' ? [method.none] : [method.none, method.password];
  socket.write(Uint8Array.from([version, methods.length, ...methods]));
  const [answered, chosen] = await reader.read(2);
  if (answered !== version) throw new Error(`socks connect: unexpected protocol version ${answered}`);
  if (chosen === method.none) return;
  if (chosen !== method.password || proxy.username === '')
    throw new Error('socks connect: no acceptable authentication methods');
  const name = new TextEncoder().encode(decodeURIComponent(proxy.username));
  const password = new TextEncoder().encode(decodeURIComponent(proxy.password));
  if (name.length > 255 || password.length > 255) throw new Error('socks connect: invalid username/password');
  socket.write(Uint8Array.from([passwordVersion, name.length, ...name, password.length, ...password]));
  const [, status] = await reader.read(2);
  if (status !== 0) throw new Error('socks connect: username/password authentication failed');
}

async function ask(socket: Socket, reader: ExactReader, host: string, port: number): Promise<void> {
  socket.write(Uint8Array.from([version, connectCommand, 0, ...addressOf(host), port >> 8, port & 0xff]));
  const [, reply = 1, , type] = await reader.read(4);
  if (reply !== 0) throw new Error(`socks connect: ${refusals[reply] ?? `unknown code ${reply}`}`);
  // The proxy's bound address, which is unused but must be read.
  const length = type === addressType.v4 ? 4 : type === addressType.v6 ? 16 : (await reader.read(1))[0]!;
  await reader.read(length + portLength);
}

function addressOf(host: string): readonly number[] {
  if (isIP(host) === 4) return [addressType.v4, ...host.split('.').map(Number)];
  if (isIP(host) === 6) return [addressType.v6, ...bytesOfV6(host)];
  const name = new TextEncoder().encode(host);
  if (name.length > 255) throw new Error(`socks connect: FQDN too long`);
  return [addressType.name, name.length, ...name];
}

function bytesOfV6(host: string): readonly number[] {
  const full = new URL(`http://[${host}]`).hostname.slice(1, -1);
  const [head = '', tail] = full.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => parseInt(group, 16)));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]);
}

/** Reads exactly the requested number of bytes, and leaves the rest to the socket's next user. */
class ExactReader {
  readonly #socket: Socket;
  #wake: () => void = () => undefined;
  #failure: Error | undefined;
  readonly #onReadable = () => this.#wake();
  readonly #onError = (error: Error) => this.#fail(error);
  readonly #onEnd = () => this.#fail(new Error('socks connect: EOF'));

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('readable', this.#onReadable).on('error', this.#onError).on('end', this.#onEnd);
  }

  async read(length: number): Promise<Uint8Array> {
    for (;;) {
      const bytes = this.#socket.read(length) as Uint8Array | null;
      if (bytes !== null && bytes.length === length) return bytes;
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  release(): void {
    this.#socket.off('readable', this.#onReadable).off('error', this.#onError).off('end', this.#onEnd);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }
}
