/** kubectl and whole control planes, as the original was seen. What a page answers, `npm run oracle:browser` tells. */
import { expect, test } from 'vitest';
import { areaNames, loadAreaFrom } from '../../packages/kube-apiserver/test/oracle/case.ts';
import { describeResult, hasPassed } from '../../packages/kube-apiserver/test/oracle/replay.ts';
import { playArea } from './players.ts';

const areas = (['kubectl', 'cluster'] as const).flatMap((player) => {
  const directory = new URL(`${player}/`, import.meta.url);
  return areaNames(directory).map((area) => ({ player, area, directory }));
});

test.each(areas)(
  '$player/$area',
  async ({ player, area, directory }) => {
    const results = await playArea(player, loadAreaFrom(directory, area));
    const played = results.filter(({ leftOut }) => leftOut === undefined);
    expect(played.length).toBeGreaterThan(0);
    expect(played.filter((result) => !hasPassed(result)).map(describeResult)).toEqual([]);
  },
  120_000,
);
