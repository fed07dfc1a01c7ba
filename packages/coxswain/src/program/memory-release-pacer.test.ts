import { expect, test } from 'vitest';
import { MemoryReleasePacer } from './memory-release-pacer.ts';

const mebibyte = 1024 * 1024;

/** A process of 100 MiB that has already released what its start left. */
function settled(): MemoryReleasePacer {
  const pace = new MemoryReleasePacer(100 * mebibyte);
  pace.done('trim', { residentBytes: 100 * mebibyte, tookMs: 1, nowMs: 0 });
  return pace;
}

const look = (mebibytes: number, utilization: number, nowMs: number) => ({
  residentBytes: mebibytes * mebibyte,
  utilization,
  nowMs,
});

test('memory left by the start is released early, without a collection', () => {
  const pace = new MemoryReleasePacer(80 * mebibyte);
  expect(pace.next(look(90, 0, 5_000))).toBe('nothing');
  expect(pace.next(look(200, 0, 6_000))).toBe('trim');
});

test('a quiet process that has grown much collects its garbage', () => {
  expect(settled().next(look(140, 0, 1_000))).toBe('nothing');
  expect(settled().next(look(150, 0, 1_000))).toBe('trim');
  expect(settled().next(look(170, 0.1, 1_000))).toBe('collect');
});

test('a process with something to do is not held up by a collection', () => {
  expect(settled().next(look(400, 0.4, 1_000))).toBe('trim');
});

test('a large heap is not collected at once, however quiet the process is', () => {
  expect(settled().next({ ...look(170, 0.1, 1_000), isHeapLarge: true })).toBe('trim');
});

test('a busy process is left alone for half a minute', () => {
  const pace = settled();
  expect(pace.next(look(400, 0.9, 1_000))).toBe('nothing');
  expect(pace.next(look(400, 0.9, 30_000))).toBe('nothing');
  expect(pace.next(look(400, 0.9, 31_000))).toBe('trim');
});

test('no more than a fiftieth of the time is spent on it', () => {
  const pace = settled();
  pace.done('trim', { residentBytes: 100 * mebibyte, tookMs: 100, nowMs: 10_000 });
  expect(pace.next(look(500, 0, 14_999))).toBe('nothing');
  expect(pace.next(look(500, 0, 15_000))).toBe('collect');
});

test('garbage counts from the last collection, however much was given back without one since', () => {
  const pace = settled();
  pace.done('trim', { residentBytes: 150 * mebibyte, tookMs: 1, nowMs: 10_000 });
  expect(pace.next(look(170, 0.4, 20_000))).toBe('nothing');
  expect(pace.next(look(170, 0.1, 20_000))).toBe('collect');
  pace.done('collect', { residentBytes: 165 * mebibyte, tookMs: 1, nowMs: 21_000 });
  expect(pace.next(look(170, 0.1, 30_000))).toBe('nothing');
});

test('growth is measured from the lowest value', () => {
  const pace = settled();
  expect(pace.next(look(60, 0, 1_000))).toBe('nothing');
  expect(pace.next(look(115, 0, 2_000))).toBe('trim');
});
