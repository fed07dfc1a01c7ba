/**
 * Compares upstream's recorded responses with those of this server, request by request. Fails for a case that differs
 * without being listed, and for a listed one that no longer differs.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { areaNames, loadArea, playableInProcess } from './case.ts';
import { knownDifferences } from './known-differences.ts';
import { describeResult, hasPassed, replayAreas, type CaseResult } from './replay.ts';

const areas = areaNames().map(loadArea);
const results = new Map<string, CaseResult>();

beforeAll(async () => {
  for (const result of await replayAreas(areas)) results.set(`${result.area}/${result.name}`, result);
}, 120_000);

describe.each(areas)('$area', ({ area, cases }) => {
  test.each(cases.filter(playableInProcess).map(({ name }) => `${area}/${name}`))('%s', (name) => {
    const result = results.get(name)!;
    const problem = hasPassed(result) ? undefined : describeResult(result);
    if (knownDifferences[name] === undefined) expect(problem).toBeUndefined();
    else expect(problem, `${name} agrees now: take it off the list`).toBeDefined();
  });
});

test('the list of known differences names cases that there are', () => {
  expect(Object.keys(knownDifferences).filter((name) => !results.has(name))).toEqual([]);
});
