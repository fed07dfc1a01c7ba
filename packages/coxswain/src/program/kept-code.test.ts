import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const keptCode = path.join(import.meta.dirname, '../../bin/kept-code.cjs');

/** Compiles a module for each argument, and prints which of them had cached bytecode. */
const program = `
const vm = require('node:vm');
const code = require(${JSON.stringify(keptCode)}).keptCode('test', process.env.IDENTITY);
const found = process.argv.slice(1).filter((name) => {
  const script = new vm.Script('(function(){ return 1 })', { filename: name, cachedData: code.of(name) });
  code.ran(name, script);
  script.runInThisContext()();
  return script.cachedDataRejected === false;
});
console.log(found.join());
`;

let cache = '';
beforeEach(() => {
  cache = mkdtempSync(path.join(os.tmpdir(), 'coxswain-code-'));
});
afterEach(() => {
  rmSync(cache, { recursive: true });
});

function run(modules: readonly string[], identity = 'a'): string {
  const env = { ...process.env, XDG_CACHE_HOME: cache, LOCALAPPDATA: cache, IDENTITY: identity };
  return execFileSync(process.execPath, ['--eval', program, ...modules], { env, encoding: 'utf8' }).trim();
}

const files = (): readonly string[] =>
  readdirSync(path.join(cache, 'coxswain/code')).map((name) => path.join(cache, 'coxswain/code', name));

test('a process is given the bytecode of earlier ones, and adds its own', () => {
  expect(run(['one'])).toBe('');
  expect(run(['one', 'two'])).toBe('one');
  expect(run(['one', 'two'])).toBe('one,two');
});

test('bytecode of other sources is not taken, even of the same length', () => {
  run(['one'], 'a');
  expect(run(['one'], 'b')).toBe('');
  expect(files()).toHaveLength(2);
});

test.runIf(process.platform !== 'win32')('a file that others may write is not read', () => {
  run(['one']);
  chmodSync(files()[0]!, 0o666);
  expect(run(['one'])).toBe('');
});

test('a truncated file is recreated', () => {
  run(['one']);
  truncateSync(files()[0]!, readFileSync(files()[0]!).length - 1);
  expect(run(['one'])).toBe('');
  expect(run(['one'])).toBe('one');
});

test('a file with a flipped bit is recreated', () => {
  run(['one']);
  const bytes = readFileSync(files()[0]!);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(files()[0]!, bytes);
  expect(run(['one'])).toBe('');
  expect(run(['one'])).toBe('one');
});

test('each release of Node has its own file', () => {
  run(['one']);
  expect(path.basename(files()[0]!)).toContain(`${process.version}-${process.arch}`);
});

test('after some rounds without a new module the file stays as it is', () => {
  for (let round = 0; round < 7; round++) run(['one']);
  const settled = readFileSync(files()[0]!, 'latin1').split('\n')[0];
  run(['one']);
  expect(readFileSync(files()[0]!, 'latin1').split('\n')[0]).toBe(settled);
  run(['two']);
  expect(readFileSync(files()[0]!, 'latin1').split('\n')[0]).not.toBe(settled);
});
