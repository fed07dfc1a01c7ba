import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { CompressionTurns, piecesAtOnceMax } from './compression-turns.ts';

test('few pieces are compressed concurrently, and an owner of many does not delay an owner of one', async () => {
  const clock = new ManualClock();
  const turns = new CompressionTurns();
  const begun: string[] = [];
  const underWay: (() => void)[] = [];
  const ask = (owner: string) =>
    turns.take({ clock, owner }, 64 * 1024, () => {
      begun.push(owner);
      return new Promise<void>((resolve) => underWay.push(resolve));
    });
  const asked = [...Array.from({ length: 20 }, () => ask('heavy')), ask('modest')];
  const atOnce: number[] = [];
  for (let over = 0; over < asked.length; over++) {
    await clock.advance(0);
    atOnce.push(underWay.length);
    underWay.shift()!();
  }
  await Promise.all(asked);

  expect(Math.max(...atOnce)).toBe(piecesAtOnceMax);
  expect(begun.indexOf('modest')).toBeLessThanOrEqual(piecesAtOnceMax + 1);
});

test('a piece that fails to compress releases its turn', async () => {
  const turns = new CompressionTurns();
  const by = { clock: new ManualClock(), owner: 'alice' };
  for (let at = 0; at < 2 * piecesAtOnceMax; at++)
    await expect(turns.take(by, 1, () => Promise.reject(new Error('no memory')))).rejects.toThrow(
      'no memory',
    );
  expect(await turns.take(by, 1, async () => 'compressed')).toBe('compressed');
});
