/**
 * Repeats an action in concurrent batches of one, two, four, …, and stops after the first batch with a failure, since
 * the rest would probably fail in the same way.
 */
export async function slowStart(
  count: number,
  act: (index: number) => Promise<unknown>,
  firstBatch = 1,
): Promise<{ readonly succeeded: number; readonly failure?: unknown }> {
  let succeeded = 0;
  for (let batch = Math.min(count, firstBatch); batch > 0; batch = Math.min(2 * batch, count - succeeded)) {
    const start = succeeded;
    const results = await Promise.allSettled(
      Array.from({ length: batch }, (_, offset) => act(start + offset)),
    );
    succeeded += results.filter((result) => result.status === 'fulfilled').length;
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) return { succeeded, failure: failed.reason };
  }
  return { succeeded };
}
