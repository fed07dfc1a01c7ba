/** The work that a write causes after its response: sending events to every watch that may be interested. */
import type { RequestInfo } from '../request-info.ts';
import type { FlowCounts } from './flow-counts.ts';
import type { WatchTracker } from './watch-tracker.ts';
import { oneSeat, type WorkEstimate } from './work-estimate.ts';

const watchesPerSeat = 10;
/** The cost of one seat's share of the watches. */
const eventMs = 5;

export function changeWork(
  info: RequestInfo,
  watches: WatchTracker,
  seatsMax: number,
  counts: FlowCounts,
): WorkEstimate {
  // Tokens cause no event, however many watches on service accounts there are.
  if (info.subresource === 'token' && info.resource === 'serviceaccounts') return oneSeat;
  const count = watches.interestedIn(info);
  counts.observeWatchers(count);
  if (count < watchesPerSeat) return oneSeat;
  const wanted = Math.ceil(count / watchesPerSeat);
  const finalSeats = Math.min(wanted, seatsMax);
  // Narrower and longer, but the same amount of work: wide requests keep seats idle while they wait for all of theirs.
  return { initialSeats: 1, finalSeats, additionalLatencyMs: (wanted * eventMs) / finalSeats };
}
