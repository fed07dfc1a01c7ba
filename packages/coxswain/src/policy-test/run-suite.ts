/** Runs all cases of a suite one after the other, each against the suite's objects. */
import { disappointments } from './expectation.ts';
import type { PolicySuite } from './suite.ts';
import { startTrialCluster } from './trial-cluster.ts';

export interface CaseResult {
  readonly name: string;
  /** What deviates from the expectation; empty for a case that passes. */
  readonly problems: readonly string[];
}

/** @throws StatusError for an object of the suite that the server refuses */
export async function runSuite({ objects, cases }: PolicySuite): Promise<readonly CaseResult[]> {
  const cluster = await startTrialCluster();
  try {
    await cluster.prepare(objects);
    const results: CaseResult[] = [];
    for (const { name, as, request, expect } of cases) {
      results.push({ name, problems: disappointments(await cluster.ask(request, as), expect) });
    }
    return results;
  } finally {
    await cluster.stop();
  }
}
