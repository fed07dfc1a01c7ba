/** Processes of their own: a cluster in the background, modes of files under an open umask, and the end of processes. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const program = path.resolve(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');
/** Real processes on a machine that may be busy. */
const processMsMax = 120_000;

let home: string;
beforeAll(() => void (home = mkdtempSync(path.join(os.tmpdir(), 'coxswain-background-'))));
afterAll(() => rmSync(home, { recursive: true, maxRetries: 10 }));

/** @param until what is written when it is to be told to stop */
function run(args: readonly string[], until?: RegExp) {
  return new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>(
    (resolve) => {
      // Whoever started it may have an umask that hides nothing.
      const child = spawn('sh', ['-c', 'umask 0; exec "$@"', 'sh', process.execPath, program, ...args], {
        env: { PATH: process.env['PATH'], HOME: home, TMPDIR: home, COXSWAIN_FROM_SOURCE: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const texts = { out: '', err: '' };
      for (const [key, stream] of [
        ['out', child.stdout],
        ['err', child.stderr],
      ] as const)
        stream.on('data', (chunk) => {
          texts[key] += String(chunk);
          if (until?.test(texts[key]) === true) child.kill('SIGTERM');
        });
      child.on('close', (code) => resolve({ code, ...texts }));
    },
  );
}

/** Everything below that others may read or write. */
function openTo(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((place) => (statSync(place).mode & 0o077) !== 0);
}

test(
  "a cluster in the background is known, is one's own alone, and is stopped",
  async () => {
    const data = path.join(home, 'ein tüchtiger');
    mkdirSync(path.join(data, 'storage'), { recursive: true });
    writeFileSync(path.join(data, 'kubeconfig'), '{}');
    for (const place of [data, path.join(data, 'storage')]) chmodSync(place, 0o777);
    chmodSync(path.join(data, 'kubeconfig'), 0o666);

    const copy = path.join(home, 'kubeconfig');
    const relaxed = ['--port=0', '--durability=relaxed', `--data-dir=${data}`];
    const up = await run(['up', '-d', '--wait', `--kubeconfig=${copy}`, ...relaxed]);
    expect(up).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining(`log          ${data}/coxswain.log`),
    });
    expect(up.out).toContain(`export KUBECONFIG=${copy}\n`);
    const status = await run(['status']);
    expect(status.out).toMatch(/^API server +https:\/\/127\.0\.0\.1:\d+ \(ready\)\n(.*\n)*nodes +node-0\n/);
    const second = await run(['up', '-d', '--port=0', `--data-dir=${data}`]);
    expect(second.code).toBe(1);
    expect(second.err).toMatch(
      /^coxswain: data directory .* is in use by process \d+, which serves https:\/\/\S+\n$/,
    );
    expect(readFileSync(copy, 'utf8')).toBe(readFileSync(path.join(data, 'kubeconfig'), 'utf8'));
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(openTo(data)).toEqual([]);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(await run(['down'])).toMatchObject({ code: 0, out: expect.stringMatching(/^Stopped https:/) });
    expect(await run(['status'])).toMatchObject({ code: 1 });
    expect(await run(['down'])).toMatchObject({ code: 0, out: 'No cluster is running.\n' });
  },
  processMsMax,
);

test.each([
  [
    'etcd',
    (data: string) => [
      'etcd',
      `--data-dir=${data}`,
      '--listen-client-urls=http://127.0.0.1:0',
      '--advertise-client-urls=http://127.0.0.1:0',
    ],
    /ready to serve/,
  ],
])(
  '%s makes files for its owner alone, and ends when it is told to',
  async (_name, args, ready) => {
    const data = path.join(home, 'data');
    mkdirSync(data);
    chmodSync(data, 0o777);
    expect(await run(args(data), ready)).toMatchObject({ code: 0 });
    expect(openTo(data)).toEqual([]);
  },
  processMsMax,
);

test(
  'a process ends when its start has failed',
  async () => {
    const { code, err } = await run(['up', '--in-memory', '--port=0', '--controllers=foo']);
    expect(err).toBe('coxswain: "foo" is not in the list of known controllers\n');
    expect(code).toBe(1);
  },
  processMsMax,
);
