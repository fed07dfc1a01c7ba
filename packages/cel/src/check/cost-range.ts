/** Ranges of sizes and costs; a maximum without bound is `unbounded`. */

export interface Range {
  readonly min: number;
  readonly max: number;
}

export type SizeEstimate = Range;
export type CostEstimate = Range;

/** The greatest unsigned 64-bit integer, approximated by a double; sums and products saturate there. */
export const unbounded = 2 ** 64;

export const unknownSize: SizeEstimate = { min: 0, max: unbounded };

export const fixed = (value: number): Range => ({ min: value, max: value });

export const zero = fixed(0);

const bound = (value: number): number => Math.min(value, unbounded);

export const add = (one: Range, other: Range): Range => ({
  min: bound(one.min + other.min),
  max: bound(one.max + other.max),
});

export const multiply = (one: Range, other: Range): Range => ({
  min: bound(one.min * other.min),
  max: bound(one.max * other.max),
});

/** Rounded up. */
export const scale = (range: Range, factor: number): Range => ({
  min: bound(Math.ceil(range.min * factor)),
  max: bound(Math.ceil(range.max * factor)),
});

export const union = (one: Range, other: Range): Range => ({
  min: Math.min(one.min, other.min),
  max: Math.max(one.max, other.max),
});
