import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { expect, test } from 'vitest';
import { countingFlag, droppableMappings, wayToCollect, wayToGiveBack } from './free-memory.ts';

test('only files that are mapped shared and read-only, or to be run, are taken off the process', () => {
  const maps = [
    '7f0000000000-7f0000002000 r--s 00000000 fe:00 4711                       /data/data.mdb',
    '7f0000010000-7f0000012000 rw-s 00000000 fe:00 4712                       /data/lock.mdb',
    '7f0000020000-7f0000022000 r--p 00000000 fe:00 4713                       /lib/libc.so.6',
    '7f0000030000-7f0000032000 r--s 00000000 00:01 4714',
    '7f0000040000-7f0000042000 r-xp 00000000 fe:00 4715                       /usr/bin/node',
    '7f0000050000-7f0000052000 r-xp 00000000 00:00 0                          [vdso]',
    '7f0000060000-7f0000062000 r-xp 00000000 00:00 0',
    '',
  ].join('\n');
  expect([...droppableMappings(maps, { programs: false })]).toEqual([[0x7f0000000000n, 0x2000n]]);
  expect([...droppableMappings(maps, { programs: true })]).toEqual([
    [0x7f0000000000n, 0x2000n],
    [0x7f0000040000n, 0x2000n],
  ]);
});

test.runIf(process.platform === 'linux')('a process continues after it has released memory', () => {
  const buffers = Array.from({ length: 1_000 }, (_, at) => Buffer.alloc(10_000, at % 251));
  wayToGiveBack()({ programs: true });
  expect(buffers.every((buffer, at) => buffer.every((byte) => byte === at % 251))).toBe(true);
});

test('unreachable objects are collected at once', () => {
  let forgotten: object | undefined = { text: 'x'.repeat(10) };
  const reference = new WeakRef(forgotten);
  forgotten = undefined;
  // A weak reference keeps its object alive until the end of the turn.
  return new Promise<void>((resolve) => void setImmediate(resolve)).then(() => {
    wayToCollect()();
    expect(reference.deref()).toBeUndefined();
    expect(globalThis).not.toHaveProperty('gc');
  });
});

test('the engine can count by the sum of its heap and of what lies outside', () => {
  expect(execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })).toContain(countingFlag);
});
