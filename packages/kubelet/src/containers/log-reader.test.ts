import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ManualClock } from '@coxswain/apimachinery';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLog } from './log-reader.ts';

let directory: string;
beforeEach(() => (directory = mkdtempSync(path.join(tmpdir(), 'log-reader-'))));
afterEach(() => rmSync(directory, { recursive: true }));

/** More than is read at once. */
const lineCount = 3000;
const logLine = (number: number): string => `2026-01-01T00:00:00.000000000Z stdout F line ${number}\n`;

test.each([
  ['a log', {}, lineCount],
  ['the end of a log', { tailLines: 2000 }, 2000],
])(
  '%s that is read is as long as it was at the request, while the container goes on',
  async (_, options, count) => {
    const file = path.join(directory, '0.log');
    writeFileSync(file, Array.from({ length: lineCount }, (_each, number) => logLine(number)).join(''));
    const log = readLog({ path: file, clock: new ManualClock(), isRunning: () => true }, options);
    const text = [Buffer.from((await log.next()).value ?? [])];
    appendFileSync(file, logLine(lineCount));
    for await (const chunk of log) text.push(Buffer.from(chunk));

    const lines = Buffer.concat(text).toString().trimEnd().split('\n');
    expect(lines).toHaveLength(count);
    expect(lines.at(-1)).toBe(`line ${lineCount - 1}`);
  },
);

test('a followed log is read when it is written, without looking again and again', async () => {
  const file = path.join(directory, '0.log');
  writeFileSync(file, logLine(0));
  const clock = new ManualClock();
  let isRunning = true;
  const log = readLog({ path: file, clock, isRunning: () => isRunning }, { follow: true });
  const next = async () => Buffer.from((await log.next()).value ?? []).toString();
  expect(await next()).toBe('line 0\n');
  // Time stands still.
  for (const number of [1, 2]) {
    const following = next();
    await new Promise(setImmediate);
    appendFileSync(file, logLine(number));
    expect(await following).toBe(`line ${number}\n`);
  }
  renameSync(file, `${file}.20260101-000000`);
  writeFileSync(file, logLine(3));
  expect(await next()).toBe('line 3\n');
  appendFileSync(file, logLine(4));
  isRunning = false;
  expect(await next()).toBe('line 4\n');
  expect((await log.next()).done).toBe(true);
});
