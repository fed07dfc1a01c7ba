import { systemClock } from '@coxswain/apimachinery';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { nodeProfiler } from './node-profiler.ts';

function busyFunctionOfThisTest(): number {
  const endMs = systemClock.monotonic() + 10;
  let sum = 0;
  while (systemClock.monotonic() < endMs) sum += Math.sqrt(sum + 1);
  return sum;
}

test('a CPU profile names the functions that used the processor', async () => {
  let isDone = false;
  const profile = nodeProfiler(systemClock)
    .cpu(100)
    .finally(() => (isDone = true));
  // Keeps busy until the profile is done: the profiler's start-up time depends on what else is loaded.
  for (; !isDone; await systemClock.sleep(0)) busyFunctionOfThisTest();
  expect(gunzipSync(await profile).toString('latin1')).toContain('busyFunctionOfThisTest');
});

test('only one profile is taken at a time', async () => {
  const profiler = nodeProfiler(systemClock);
  const first = profiler.heap(20);
  await expect(profiler.cpu(20)).rejects.toThrow('cpu profiling already in use');
  expect(gunzipSync(await first).toString('latin1')).toContain('inuse_space');
});
