/** Upper bounds of buckets, each `factor` times the previous one, as Prometheus' Go library computes them. */
export function growingBounds(first: number, factor: number, count: number): readonly number[] {
  const bounds: number[] = [];
  for (let bound = first; bounds.length < count; bound *= factor) bounds.push(bound);
  return bounds;
}
