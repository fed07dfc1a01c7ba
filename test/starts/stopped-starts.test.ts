/** A start that is told to stop, whatever it is at, ends at once; the next one finds nothing that keeps it. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from './run-program.ts';

let directory: string;
beforeAll(() => void (directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-stopped-'))));
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10 }));

const upIn = (name: string) => [
  'up',
  '--port=0',
  '--durability=relaxed',
  `--data-dir=${path.join(directory, name)}`,
];
const up = () => upIn('data');

test.each(['starting', 'keys and certificates', 'API server'])(
  'stopped at "%s", up ends at once',
  async (step) => {
    const stopping = new AbortController();
    const written = (text: string): void => {
      if (text.includes(step)) stopping.abort();
    };
    const { status, out } = await runProgram(up(), {
      home: directory,
      signal: stopping.signal,
      written,
      columns: 80,
    });
    expect(out).toBe('');
    expect(status).toBe(0);
  },
);

const lasting = (count: number) => upIn(`turns-${count}`);

test.each([
  [lasting, [1, 10, 100, 400]],
  [() => ['test-server'], [1, 30]],
  [
    () => [
      'kube-apiserver',
      '--bind-address=127.0.0.1',
      '--etcd-servers=http://127.0.0.1:1',
      `--cert-dir=${directory}`,
    ],
    [50],
  ],
  [
    () => [
      'etcd',
      `--data-dir=${path.join(directory, 'etcd')}`,
      '--listen-client-urls=http://127.0.0.1:0',
      '--advertise-client-urls=http://127.0.0.1:0',
    ],
    [1, 5],
  ],
])('stopped after some turns, a program ends (%#)', async (args, turns) => {
  for (const count of turns) {
    const stopping = new AbortController();
    const ended = runProgram(args(count), { home: directory, signal: stopping.signal });
    for (let turn = 0; turn < count; turn++) await setImmediate();
    stopping.abort();
    expect((await ended).status).toBe(0);
  }
});

test('after all that, the same directory starts', async () => {
  const stopping = new AbortController();
  const written = (text: string): void => {
    if (text.includes('Ready in')) stopping.abort();
  };
  const { status, out } = await runProgram(up(), { home: directory, signal: stopping.signal, written });
  expect(out).toMatch(/^Coxswain .*Stopped\.\n$/s);
  expect(status).toBe(0);
});
