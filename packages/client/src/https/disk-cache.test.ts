import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ManualClock, systemRandom } from '@coxswain/apimachinery';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { diskCached } from './disk-cache.ts';

const nowMs = Date.UTC(2026, 10, 21, 6, 0, 0);
const accept = { accept: 'application/json' };

let directory: string;
beforeEach(() => (directory = mkdtempSync(path.join(tmpdir(), 'disk-cache-'))));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

type Answer = readonly [status: number, headers: Record<string, string>, body: string];

/** A server that returns these responses in turn and records the requests. */
function server(...answers: Answer[]) {
  const asked: TransportRequest[] = [];
  const transport: Transport = {
    structured: false,
    address: 'https://server:6443',
    async close() {},
    async send(request): Promise<TransportResponse> {
      asked.push(request);
      const [status, headers, body] = answers.shift()!;
      const bytes = new TextEncoder().encode(body);
      return {
        status,
        headers,
        bytes: async () => bytes,
        async *stream() {
          yield bytes;
        },
      };
    },
  };
  return { asked, transport };
}

async function get(transport: Transport, requestPath: string, headers: Record<string, string> = accept) {
  const clock = new ManualClock(nowMs);
  const isKept = (one: string) => one.startsWith('/openapi/');
  const cached = diskCached(transport, { directory, clock, random: systemRandom, isKept });
  const answer = await cached.send({ method: 'GET', path: requestPath, headers });
  return new TextDecoder().decode(await answer.bytes());
}

const date = 'Sat, 21 Nov 2026 05:59:00 GMT';

test('an answer with an ETag is asked for with it, and not sent again while it holds', async () => {
  const index = { etag: '"one"', 'cache-control': 'no-cache, private', date };
  const { asked, transport } = server([200, index, 'first'], [304, index, ''], [200, index, 'second']);
  expect(await get(transport, '/openapi/v3')).toBe('first');
  expect(await get(transport, '/openapi/v3')).toBe('first');
  expect(await get(transport, '/openapi/v3')).toBe('second');
  expect(asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"', '"one"']);
});

test('a response that is valid for a year is not requested again', async () => {
  const immutable = {
    'cache-control': 'public, immutable',
    expires: 'Sun, 21 Nov 2027 05:59:00 UTC',
    date,
    vary: 'Accept',
  };
  const { asked, transport } = server([200, immutable, 'schema'], [200, immutable, 'as protobuf']);
  expect(await get(transport, '/openapi/v3/api/v1?hash=A')).toBe('schema');
  expect(await get(transport, '/openapi/v3/api/v1?hash=A')).toBe('schema');
  expect(asked).toHaveLength(1);
  // A different media type is a different response.
  expect(await get(transport, '/openapi/v3/api/v1?hash=A', { accept: 'application/x' })).toBe('as protobuf');
});

test('other paths and failures leave nothing', async () => {
  const { transport } = server([200, { etag: '"one"' }, 'pods'], [500, { etag: '"two"' }, 'broken']);
  await get(transport, '/api/v1/pods');
  await get(transport, '/openapi/v2');
  expect(readdirSync(directory)).toEqual([]);
});

test('a damaged file counts as missing', async () => {
  const headers = { etag: '"one"', date };
  const { asked, transport } = server([200, headers, 'whole'], [200, headers, 'again']);
  await get(transport, '/openapi/v2');
  const [name = ''] = readdirSync(directory);
  const bytes = readFileSync(path.join(directory, name));
  writeFileSync(path.join(directory, name), bytes.subarray(0, bytes.length - 1));
  expect(await get(transport, '/openapi/v2')).toBe('again');
  expect(asked[1]?.headers['if-none-match']).toBeUndefined();
});

test("files left by upstream's kubectl are used", async () => {
  const sum = (bytes: string) => createHash('sha256').update(bytes).digest();
  const response = [
    'HTTP/2.0 200 OK',
    'Content-Length: 6',
    'Cache-Control: public, immutable',
    `Date: ${date}`,
    'Expires: Sun, 21 Nov 2027 05:59:00 UTC',
    'Vary: Accept',
    'X-Varied-Accept: application/json',
    '',
    'schema',
  ].join('\r\n');
  const name = sum('https://server:6443/openapi/v3/apis/apps/v1?hash=A&timeout=32s').toString('hex');
  writeFileSync(path.join(directory, name), Buffer.concat([sum(response), Buffer.from(response)]));
  const { asked, transport } = server();
  expect(await get(transport, '/openapi/v3/apis/apps/v1?hash=A&timeout=32s')).toBe('schema');
  expect(asked).toEqual([]);
});
