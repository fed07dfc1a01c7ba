export const nodeScoreMax = 100;

/** Scales so that the largest score becomes 100; with `reverse`, the smallest is best. */
export function normalizeByMax(scores: number[], reverse: boolean): void {
  let max = 0;
  for (const score of scores) if (score > max) max = score;
  for (let index = 0; index < scores.length; index++) {
    const scaled = max === 0 ? 0 : Math.trunc((nodeScoreMax * scores[index]!) / max);
    scores[index] = reverse ? nodeScoreMax - scaled : scaled;
  }
}
