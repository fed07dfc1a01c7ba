/** Upper bounds of histogram buckets, upstream's. */

/** In seconds. */
export const requestDurationBounds: readonly number[] = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** In seconds. */
export const requestSliBounds: readonly number[] = requestDurationBounds.slice(2);

/** In bytes: from a kilobyte to a gigabyte. */
export const responseSizeBounds: readonly number[] = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/** In bytes: from one to 128 kibibytes. */
export const eventSizeBounds: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128].map((kib) => kib * 1024);

/** In seconds; for the initial lists of watches. */
export const watchListBounds: readonly number[] = [
  0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** In seconds; for whole phases and for single plugins. */
export const admissionDurationBounds: readonly number[] = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
