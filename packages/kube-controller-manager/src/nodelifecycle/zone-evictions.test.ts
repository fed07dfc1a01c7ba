import { ManualClock } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { EvictionQueue } from './eviction-queue.ts';
import { ZoneEvictions } from './zone-evictions.ts';
import type { ZoneHealth } from './zone-state.ts';

const rates = { usual: 0.1, secondary: 0.01, unhealthyShare: 0.55, largeZoneNodes: 50 };
const well = { ready: 2, unready: 0 };
const down = { ready: 0, unready: 2 };

/** Zones, and which of `names` get a turn in one of them. */
function cluster() {
  const clock = new ManualClock();
  const zones = new ZoneEvictions(clock, rates);
  const judge = (healths: Record<string, ZoneHealth>) => zones.judge(new Map(Object.entries(healths)));
  const evict = async (zone: string, ...names: string[]) => {
    const evicted: string[] = [];
    const queue = zones.queueOf(zone)!;
    for (const name of names) queue.add(name);
    await queue.run(async (name) => {
      evicted.push(name);
      return true;
    });
    return evicted;
  };
  return { clock, judge, evict };
}

test('a zone that is down loses its nodes, as long as another zone is not', async () => {
  const { judge, evict } = cluster();
  judge({ one: well, other: down });

  expect(await evict('other', 'a', 'b')).toEqual(['a']);
});

test('nothing is evicted while all zones are down, nor at once when one is back', async () => {
  const { clock, judge, evict } = cluster();
  judge({ one: well, other: well });

  expect(judge({ one: down, other: down })).toBe('all down');
  await clock.advance(60_000);
  expect(await evict('one', 'a')).toEqual([]);
  expect(judge({ one: down, other: well })).toBe('some back');
  expect(await evict('one')).toEqual([]);
  await clock.advance(10_000);
  expect(await evict('one')).toEqual(['a']);
});

test('many unready nodes of a small zone stay, those of a large zone go slowly', async () => {
  const { clock, judge, evict } = cluster();
  judge({
    small: { ready: 2, unready: 3 },
    large: { ready: 20, unready: 40 },
    two: { ready: 1, unready: 2 },
  });

  expect(await evict('small', 'a')).toEqual([]);
  expect(await evict('two', 'c')).toEqual(['c']);
  expect(await evict('large', 'x', 'y')).toEqual(['x']);
  await clock.advance(99_000);
  expect(await evict('large')).toEqual([]);
  await clock.advance(1000);
  expect(await evict('large')).toEqual(['y']);
});

test('a zone without nodes is forgotten, and starts afresh', async () => {
  const { judge, evict } = cluster();
  judge({ one: well });
  await evict('one', 'a');

  expect(judge({})).toBeUndefined();
  judge({ one: well });

  expect(await evict('one', 'b')).toEqual(['b']);
});

test('a node has one turn until it is removed, and another when it failed', async () => {
  const clock = new ManualClock();
  const queue = new EvictionQueue(clock, 1);
  const turns: string[] = [];
  const run = async (isDone: boolean) => {
    await queue.run(async (name) => {
      turns.push(name);
      return isDone;
    });
    await clock.advance(1000);
  };

  queue.add('a');
  await run(false);
  await run(true);
  queue.add('a');
  await run(true);
  queue.remove('a');
  queue.add('a');
  await run(true);

  expect(turns).toEqual(['a', 'a', 'a']);
});
