/** The first message of a TLS connection, with whatever one likes in it, and what the server says to it. */
import { connect } from 'node:net';

/** As records write them: 3.1 is TLS 1.0. */
export const versions = { ssl3: 0x0300, tls10: 0x0301, tls11: 0x0302, tls12: 0x0303, tls13: 0x0304 } as const;

export interface Hello {
  readonly version: number;
  readonly suites: readonly number[];
  readonly compressions?: readonly number[];
  readonly groups?: readonly number[];
  readonly signatures?: readonly number[];
  readonly protocols?: readonly string[];
  /** Whether messages of the heartbeat extension are offered. */
  readonly heartbeats?: boolean;
}

export type HelloAnswer =
  | { readonly kind: 'refused'; readonly alert: number | undefined }
  | {
      readonly kind: 'hello';
      readonly version: number;
      readonly suite: number;
      readonly compression: number;
      readonly extensions: readonly number[];
    };

/** Resolves with the server's first message; a connection that is closed without one refuses, too. */
export function sayHello(port: number, hello: Hello): Promise<HelloAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(recordOf(hello)));
    let received = Buffer.alloc(0);
    const end = (answer: HelloAnswer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const answer = readAnswer(received);
      if (answer !== undefined) end(answer);
    });
    socket.on('close', () => end({ kind: 'refused', alert: undefined }));
    socket.on('error', (failure: NodeJS.ErrnoException) =>
      failure.code === 'ECONNRESET' ? end({ kind: 'refused', alert: undefined }) : reject(failure),
    );
  });
}

/** All suites of `offered` that the server would take, in its own order. */
export async function acceptedSuites(
  port: number,
  version: number,
  offered: readonly number[],
): Promise<number[]> {
  const accepted: number[] = [];
  for (;;) {
    const suites = offered.filter((suite) => !accepted.includes(suite));
    const answer = await sayHello(port, { version, suites });
    if (answer.kind === 'refused') return accepted;
    accepted.push(answer.suite);
  }
}

const recordTypes = { alert: 21, handshake: 22 } as const;

const u16 = (value: number): number[] => [value >> 8, value & 0xff];
const withLength = (bytes: readonly number[], lengthBytes: 1 | 2 | 3): number[] => {
  const { length } = bytes;
  const prefix = [length >> 16, (length >> 8) & 0xff, length & 0xff].slice(3 - lengthBytes);
  return [...prefix, ...bytes];
};
const extension = (type: number, content: readonly number[]): number[] => [
  ...u16(type),
  ...withLength(content, 2),
];

const ordinaryGroups = [0x001d, 0x0017, 0x0018, 0x0019];
const ordinarySignatures = [0x0403, 0x0503, 0x0603, 0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601];

function recordOf(hello: Hello): Uint8Array {
  const {
    version,
    suites,
    compressions = [0],
    groups = ordinaryGroups,
    signatures = ordinarySignatures,
  } = hello;
  const extensions = [
    ...extension(10, withLength(groups.flatMap(u16), 2)),
    ...extension(11, withLength([0], 1)),
    ...extension(13, withLength(signatures.flatMap(u16), 2)),
    ...extension(23, []),
    ...extension(0xff01, [0]),
    ...(hello.heartbeats === true ? extension(15, [1]) : []),
    ...(hello.protocols === undefined ? [] : extension(16, protocolNames(hello.protocols))),
    ...(version < versions.tls13
      ? []
      : [...extension(43, withLength(u16(version), 1)), ...extension(51, withLength([], 2))]),
  ];
  const body = [
    ...u16(Math.min(version, versions.tls12)),
    ...Array.from({ length: 32 }, (_, at) => at),
    ...withLength([], 1),
    ...withLength(suites.flatMap(u16), 2),
    ...withLength(compressions, 1),
    ...withLength(extensions, 2),
  ];
  const message = [1, ...withLength(body, 3)];
  return Uint8Array.from([
    recordTypes.handshake,
    ...u16(Math.min(version, versions.tls10)),
    ...withLength(message, 2),
  ]);
}

const protocolNames = (names: readonly string[]): number[] =>
  withLength(
    names.flatMap((name) => withLength([...Buffer.from(name)], 1)),
    2,
  );

function readAnswer(bytes: Buffer): HelloAnswer | undefined {
  if (bytes.length < 5 || bytes.length < 5 + bytes.readUInt16BE(3)) return undefined;
  if (bytes[0] !== recordTypes.handshake) return { kind: 'refused', alert: bytes[6] };
  const session = bytes[43]!;
  const at = 44 + session;
  const extensions: number[] = [];
  const end = at + 5 + bytes.readUInt16BE(at + 3);
  for (let next = at + 5; next < end; next += 4 + bytes.readUInt16BE(next + 2)) {
    extensions.push(bytes.readUInt16BE(next));
  }
  return {
    kind: 'hello',
    version: extensions.includes(43) ? versions.tls13 : bytes.readUInt16BE(9),
    suite: bytes.readUInt16BE(at),
    compression: bytes[at + 2]!,
    extensions,
  };
}
