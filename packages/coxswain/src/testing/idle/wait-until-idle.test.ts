import { expect, test } from 'vitest';
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import { requestLog } from '../requests/request-log.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { advance } from './wait-until-idle.ts';

test('no time passes while a component waits for something that takes none of it', async () => {
  const clock = new VirtualClock(0);
  const { promise: file, resolve: read } = Promise.withResolvers<void>();
  let readAtMs: number | undefined;
  const first = clock.after(10, () => {
    void inWallTime(() => file).then(() => (readAtMs = clock.now()));
    setTimeout(read, 5);
  });
  clock.after(20, () => {});

  await advance(clock, { requests: requestLog(clock), revision: () => 0 }, 60_000);

  expect(readAtMs).toBe(10);
  first.cancel();
});
