import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { serveDebugSocket } from './debug-socket.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'debug-socket-'));
const socketPath = path.join(directory, 'debug.sock');
let served: { close(): Promise<void> } | undefined;
afterEach(async () => {
  await served?.close();
  rmSync(directory, { recursive: true, force: true });
});

const ask = (method: string, asked: string, body?: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath, method, path: asked }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (more: string) => (text += more));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject);
    request.end(body);
  });

test('profiles and verbosity are served to this user only, replacing a stale socket', async () => {
  writeFileSync(socketPath, 'left');
  const verbosity = { level: 2 };
  const asked: number[] = [];
  const profiler = {
    cpu: (durationMs: number) => (asked.push(durationMs), Promise.resolve(new Uint8Array([1]))),
    heap: () => Promise.reject(new Error('busy')),
  };

  served = await serveDebugSocket(socketPath, { profiler, verbosity });

  expect(statSync(socketPath).mode & 0o777).toBe(0o600);
  expect(await ask('GET', '/debug/pprof')).toMatchObject({ status: 302 });
  expect((await ask('GET', '/debug/pprof/')).text).toContain("href='profile'");
  expect(await ask('GET', '/debug/pprof/profile?seconds=2')).toEqual({ status: 200, text: '\u0001' });
  expect(asked).toEqual([2000]);
  expect(await ask('GET', '/debug/pprof/heap')).toMatchObject({ status: 500 });
  expect(await ask('PUT', '/debug/flags/v', '4')).toMatchObject({ status: 200 });
  expect(verbosity.level).toBe(4);
  expect(await ask('GET', '/api')).toEqual({ status: 404, text: '404 page not found\n' });
  expect(await ask('GET', '/metrics')).toMatchObject({ status: 404 });
});
