import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { OpeningProgress } from './opening-progress.ts';

test('a slow opening reports its progress every two seconds', async () => {
  const clock = new ManualClock();
  const lines: string[] = [];
  const progress = new OpeningProgress('/data', (line) => void lines.push(line), clock);
  for (let done = 0; done < 100; done++) {
    progress.at('going through the log', done, 100);
    await clock.advance(50);
  }

  expect(lines).toEqual([
    'opening /data takes long: going through the log, 40 % (2 s so far)',
    'opening /data takes long: going through the log, 80 % (4 s so far)',
  ]);
});

test('a short one is not', async () => {
  const clock = new ManualClock();
  const lines: string[] = [];
  const progress = new OpeningProgress('/data', (line) => void lines.push(line), clock);
  await clock.advance(1_900);
  progress.at('reading the tables');

  expect(lines).toEqual([]);
});
