/** One cluster per test: it is always stopped, and a failure names its seed. */

import { createCluster, type CreateClusterOptions } from './create-cluster.ts';
import { withContext } from './eventually.ts';
import { shown } from './known-words.ts';
import { replayOf } from './seed.ts';
import type { TestCluster } from './test-cluster.ts';

/** @returns a function for `test('…', withCluster(async (cluster) => { … }))` in any test runner */
export function withCluster(
  body: (cluster: TestCluster) => void | Promise<void>,
  options: CreateClusterOptions = {},
): () => Promise<void> {
  if (typeof body !== 'function')
    throw new TypeError(`withCluster requires a test function, not ${shown(body)}`);
  return async () => {
    const cluster = await createCluster(options);
    try {
      await body(cluster);
    } catch (failure) {
      throw withContext(failure, replayOf(cluster.seed));
    } finally {
      await cluster.stop();
    }
  };
}
