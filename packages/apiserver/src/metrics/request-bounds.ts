/** Upper bounds of buckets, the original's. */

/** Seconds. */
export const requestDurationBounds: readonly number[] = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** Seconds. */
export const requestSliBounds: readonly number[] = requestDurationBounds.slice(2);

/** Bytes: a kilobyte to a gigabyte. */
export const responseSizeBounds: readonly number[] = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/** Bytes: a kibibyte to 128 of them. */
export const eventSizeBounds: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128].map((kib) => kib * 1024);

/** Seconds; of lists that watches begin with. */
export const watchListBounds: readonly number[] = [
  0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** Seconds; of whole phases and of single plugins. */
export const admissionDurationBounds: readonly number[] = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
