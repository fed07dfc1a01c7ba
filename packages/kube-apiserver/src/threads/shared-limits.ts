/** A thread's share of the server's limits on concurrent requests. */
import type { InFlightLimits } from '@coxswain/apiserver/filters/max-in-flight.ts';

export const shareOf = (
  { readOnlyMax, mutatingMax }: InFlightLimits,
  index: number,
  count: number,
): InFlightLimits => ({
  readOnlyMax: share(readOnlyMax, index, count),
  mutatingMax: share(mutatingMax, index, count),
});

/** 0 means no limit and stays so; otherwise every thread has at least one. */
const share = (total: number, index: number, count: number): number =>
  total === 0 ? 0 : Math.max(1, Math.floor(total / count) + (index < total % count ? 1 : 0));
