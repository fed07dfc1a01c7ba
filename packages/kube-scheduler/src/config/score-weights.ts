/** The weights of the plugins' scores. */

const nodeScoreMax = 100n;
const totalScoreMax = 2n ** 63n - 1n;
const int64 = (value: bigint): bigint => BigInt.asIntN(64, value);

/**
 * A plugin's first weight counts; 0 means 1.
 * @throws Error if a sum of scores could overflow upstream's integers
 */
export function scoreWeights(
  scored: readonly { readonly name: string; readonly weight?: number }[],
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  let total = 0n;
  for (const { name, weight } of scored) {
    if (weights.has(name)) continue;
    weights.set(name, weight || 1);
    const most = BigInt(weight || 1) * nodeScoreMax;
    if (most > int64(totalScoreMax - total))
      throw new Error('score plugins: total score of Score plugins could overflow');
    total += most;
  }
  return weights;
}
