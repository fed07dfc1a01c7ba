import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settleKernel } from './kernel-settings.ts';

let directory: string;

const file = (name: string): string => path.join(directory, name);

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'kernel-'));
  mkdirSync(file('vm'));
  mkdirSync(file('kernel/keys'), { recursive: true });
  const values = {
    'vm/overcommit_memory': 0,
    'vm/panic_on_oom': 0,
    'kernel/panic': 10,
    'kernel/panic_on_oops': 1,
    'kernel/keys/root_maxkeys': 1_000_000,
    'kernel/keys/root_maxbytes': 25_000_000,
  };
  for (const [name, value] of Object.entries(values)) writeFileSync(file(name), `${value}\n`);
});

afterEach(() => rmSync(directory, { recursive: true }));

test('settings that differ are corrected', () => {
  expect(settleKernel(false, directory)).toEqual([]);
  expect(readFileSync(file('vm/overcommit_memory'), 'utf8')).toBe('1');
});

test('a protected kernel with different settings is reported and left unchanged', () => {
  expect(() => settleKernel(true, directory)).toThrow(
    'invalid kernel flag: vm/overcommit_memory, expected value: 1, actual value: 0',
  );
  expect(readFileSync(file('vm/overcommit_memory'), 'utf8')).toBe('0\n');
});

test('a setting that the kernel does not have is reported', () => {
  rmSync(file('kernel/panic'));
  rmSync(file('vm/panic_on_oom'));
  expect(settleKernel(false, directory)).toEqual([
    expect.stringMatching(/^ENOENT.*panic_on_oom/),
    expect.stringMatching(/^ENOENT.*kernel\/panic/),
  ]);
  expect(() => settleKernel(true, directory)).toThrow(/^\[.*panic_on_oom.*kernel\/panic.*\]$/);
});
