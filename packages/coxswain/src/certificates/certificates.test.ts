import { X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '@coxswain/apimachinery';
import { clusterCertificates, type ClusterCertificates } from './certificates.ts';
import { areUsable } from './usable-certificates.ts';

const directories: string[] = [];
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-certificates-'));
  directories.push(directory);
});

const yearMs = 365 * 24 * 3600 * 1000;
const nowMs = Date.UTC(2026, 5, 1);
const made = (clock = new ManualClock(nowMs)) =>
  clusterCertificates(directory, { clock, serviceAddress: '10.96.0.1' });
const usable = ({ directory: _directory, ...files }: ClusterCertificates, clock = new ManualClock(nowMs)) =>
  areUsable(files, clock, []);
const texts = (): readonly string[] =>
  readdirSync(directory).map((name) => readFileSync(path.join(directory, name), 'utf8'));

test('complete files are kept, readable only by their owner', async () => {
  await made();
  const before = texts();
  await made();
  expect(texts()).toEqual(before);
  for (const name of readdirSync(directory))
    expect(statSync(path.join(directory, name)).mode & 0o777).toBe(0o600);
});

test('permissions left open by an older version are tightened', async () => {
  const { caCertFile } = await made();
  chmodSync(caCertFile, 0o644);
  chmodSync(directory, 0o755);
  await made();
  for (const [place, mode] of [
    [caCertFile, 0o600],
    [directory, 0o700],
  ] as const)
    expect(statSync(place).mode & 0o777).toBe(mode);
});

test('a start that was killed after any of the files is mended by the next', async () => {
  await made();
  for (const name of readdirSync(directory)) {
    rmSync(path.join(directory, name));
    expect(usable(await made())).toBe(true);
  }
});

test.each([
  ['a year ahead when they were made', nowMs + yearMs, nowMs],
  ['ten years ahead when they were made', nowMs + 10 * yearMs, nowMs],
  ['a year further by now', nowMs, nowMs + yearMs],
  ['ten years further by now', nowMs, nowMs + 10 * yearMs],
])(
  'with a clock that was %s, the same key of the authority has certificates for now',
  async (_what, then, now) => {
    const { caCertFile } = await made(new ManualClock(then));
    const { publicKey } = new X509Certificate(readFileSync(caCertFile));
    const clock = new ManualClock(now);
    const renewed = await made(clock);
    expect(usable(renewed, clock)).toBe(true);
    expect(new X509Certificate(readFileSync(caCertFile)).publicKey.equals(publicKey)).toBe(true);
  },
);
