/**
 * Compares upstream's responses that differ between versions of Kubernetes with this server's when it emulates those
 * versions.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { playableInProcess, type Area } from '../oracle/case.ts';
import { describeResult, hasPassed, replayAreas, type CaseResult } from '../oracle/replay.ts';
import { knownDifferences } from './known-differences.ts';

const areasOf = (version: string): readonly Area[] =>
  JSON.parse(
    gunzipSync(readFileSync(new URL(`oracle-${version}.json.gz`, import.meta.url))).toString(),
  ) as readonly Area[];

describe.each(['1.33', '1.34', '1.35'])('as %s', (version) => {
  const areas = areasOf(version);
  const results = new Map<string, CaseResult>();

  beforeAll(async () => {
    for (const result of await replayAreas(areas)) results.set(`${result.area}/${result.name}`, result);
  }, 120_000);

  const names = areas.flatMap(({ area, cases }) =>
    cases.filter(playableInProcess).map(({ name }) => `${area}/${name}`),
  );

  test.each(names)('%s', (name) => {
    const result = results.get(name)!;

    const problem = hasPassed(result) ? undefined : describeResult(result);
    if (knownDifferences[name] !== undefined) expect(problem).toBeDefined();
    else expect(problem).toBeUndefined();
  });
});
