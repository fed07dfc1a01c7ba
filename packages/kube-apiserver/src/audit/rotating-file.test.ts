import { ManualClock } from '@coxswain/apimachinery';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RotatingFile, type RotationSettings } from './rotating-file.ts';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'audit-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const megabyte = 1024 * 1024;
const line = `${'x'.repeat(megabyte / 2)}\n`;

function rotating(clock: ManualClock, more: Partial<RotationSettings> = {}) {
  const path = join(directory, 'deep', 'audit.log');
  const settings = { path, megabytesMax: 1, daysMax: 0, backupsMax: 0, compresses: false, ...more };
  const file = new RotatingFile(settings, clock, (problem) => expect.fail(problem));
  return { file, path, names: () => readdirSync(join(directory, 'deep')).sort() };
}

test('a full file is put aside under the time at which it was', async () => {
  const { file, path, names } = rotating(new ManualClock(Date.UTC(2026, 0, 2, 3, 4, 5, 678)));
  file.write('first\n');
  file.write(line);
  file.write(line);
  await file.flush();
  expect(names()).toEqual(['audit-2026-01-02T03-04-05.678.log', 'audit.log']);
  expect(readFileSync(path, 'utf8')).toBe(line);
});

test('only so many full files are kept, and none beyond its days', async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 2));
  const { file, names } = rotating(clock, { backupsMax: 2, daysMax: 1 });
  for (let day = 0; day < 5; day++) {
    file.write(line);
    file.write(line);
    await clock.advance(13 * 60 * 60 * 1000);
  }
  await file.flush();
  expect(names()).toHaveLength(3);
});

test('full files are compressed', async () => {
  const { file, names } = rotating(new ManualClock(), { compresses: true });
  file.write(line);
  file.write(line);
  await file.flush();
  const [backup = ''] = names();
  expect(backup).toMatch(/\.log\.gz$/);
  expect(gunzipSync(readFileSync(join(directory, 'deep', backup))).toString()).toBe(line);
});

test('other users cannot read the file, and oversized writes are refused', () => {
  const { file, path } = rotating(new ManualClock());
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(() => file.write(line.repeat(3))).toThrow('exceeds maximum file size 1048576');
});

test('anything but a regular file is never rotated', async () => {
  mkdirSync(join(directory, 'deep'));
  symlinkSync('/dev/null', join(directory, 'deep', 'audit.log'));
  const { file, names } = rotating(new ManualClock());
  for (let times = 0; times < 5; times++) file.write(line);
  await file.flush();
  expect(names()).toEqual(['audit.log']);
});
