/** The same responses from a server with several threads, over connections in turn. */
import { expect, test } from 'vitest';
import { areaNames, loadArea } from './case.ts';
import { knownDifferences } from './known-differences.ts';
import { describeResult, hasPassed, replayAreas } from './replay.ts';
import { threadedServer } from './threaded-server.ts';

/** Each thread remembers on its own which of two impersonation modes applies to a user, like several servers. */
const otherWords: ReadonlySet<string> = new Set(['authn/impersonate-with-rbac']);

test('what the original answers', async () => {
  const results = await replayAreas(areaNames().map(loadArea), threadedServer);

  const failed = results.filter((result) => result.leftOut === undefined && !hasPassed(result));
  const unknown = failed.filter(({ area, name }) => {
    const path = `${area}/${name}`;
    return knownDifferences[path] === undefined && !otherWords.has(path);
  });
  expect(results.length).toBeGreaterThan(1_000);
  expect(unknown.map(describeResult)).toEqual([]);
}, 600_000);
