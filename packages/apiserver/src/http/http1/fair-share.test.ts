/** How HTTP/1.1 connections share the thread, in virtual milliseconds that pass only by encryption. */
import { duplexPair, type Duplex } from 'node:stream';
import { systemClock } from '@coxswain/apimachinery';
import { inFairTurn, noteServed } from '@coxswain/apimachinery/slices.ts';
import { expect, test } from 'vitest';
import type { ApiResponse } from '../api-response.ts';
import { Http1Connection } from './http1-connection.ts';

const msPerMegabyte = 1.6;
const blockBytes = 256 * 1024;
/** A slice and its last part, and a turn's first work, before contention is known. */
const waitMsMax = 0.6;

function thread() {
  let nowMs = 0;
  const clock = { ...systemClock, monotonic: () => nowMs };
  const writtenBytes = new Map<string, number>();
  const open = (owner: string, answer: () => ApiResponse): Duplex => {
    const [client, server] = duplexPair();
    const write = server.write.bind(server) as (...args: readonly unknown[]) => boolean;
    Object.assign(server, {
      write(chunk: Uint8Array, ...rest: readonly unknown[]) {
        nowMs += (chunk.length / 1e6) * msPerMegabyte;
        writtenBytes.set(owner, (writtenBytes.get(owner) ?? 0) + chunk.length);
        return write(chunk, ...rest);
      },
    });
    const peer = { address: '', tls: true, protocol: 'HTTP/1.1', owner } as const;
    const serve = () => {
      noteServed(clock, owner, nowMs);
      return inFairTurn(clock, owner, nowMs, answer);
    };
    new Http1Connection(server, { peer, clock, serve });
    return client;
  };
  return { open, nowMs: () => nowMs, writtenBytes };
}

const headers = (bytes: number) => ({ 'content-length': String(bytes) });
const small = (): ApiResponse => ({
  status: 200,
  headers: headers(10_000),
  body: { kind: 'bytes', bytes: Buffer.alloc(10_000) },
});
const blocks = (count: number) => (): ApiResponse => ({
  status: 200,
  headers: headers(count * blockBytes),
  body: {
    kind: 'chunks',
    chunks: Array.from({ length: count }, () => Buffer.alloc(blockBytes)).values(),
    bytesTotal: count * blockBytes,
  },
});
const whole = (bytes: number) => (): ApiResponse => ({
  status: 200,
  headers: headers(bytes),
  body: { kind: 'bytes', bytes: Buffer.alloc(bytes) },
});

/** Sends requests repeatedly, some together; resolves after `times` times their responses. */
async function ask(
  client: Duplex,
  bodyBytes: number,
  times: number,
  heard: () => void,
  together = 1,
): Promise<void> {
  for (let at = 0; at < times; at++) {
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(together));
    for (let bytes = 0; bytes < bodyBytes * together;) {
      const chunk = client.read() as Buffer | null;
      if (chunk === null) await new Promise<void>((resolve) => client.once('readable', () => resolve()));
      else bytes += chunk.length;
    }
    heard();
  }
}

test.each([
  ['lists', blocks(12), 12 * blockBytes, 1],
  ['single large objects', whole(3_000_000), 3_000_000, 1],
  ['hundreds of small objects in one packet', small, 10_000, 300],
])(
  'a user waits for no more than a slice of one who asks for %s',
  async (_what, large, largeBytes, together) => {
    const { open, nowMs, writtenBytes } = thread();
    const modest = open('modest', small);
    await ask(modest, 10_000, 1, () => undefined);
    const greedy = Array.from({ length: 20 }, () =>
      ask(open('greedy', large), largeBytes, 3, () => undefined, together),
    );
    const waitedMs: number[] = [];
    let sinceMs = nowMs();
    await ask(modest, 10_000, 100, () => {
      waitedMs.push(nowMs() - sinceMs);
      sinceMs = nowMs();
    });
    await Promise.all(greedy);

    // The first responses come before contention is known.
    expect(Math.max(...waitedMs.slice(2))).toBeLessThan(waitMsMax);
    expect(writtenBytes.get('greedy')!).toBeGreaterThan(20 * 3 * largeBytes * together);
  },
);
