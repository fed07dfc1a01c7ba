/** What a change sets off: every watch that may have to hear of it costs something after the answer. */
import type { RequestInfo } from '../request-info.ts';
import type { FlowCounts } from './flow-counts.ts';
import type { WatchTracker } from './watch-tracker.ts';
import { oneSeat, type WorkEstimate } from './work-estimate.ts';

const watchesPerSeat = 10;
/** What one seat's share of the watches costs. */
const eventMs = 5;

export function changeWork(
  info: RequestInfo,
  watches: WatchTracker,
  seatsMax: number,
  counts: FlowCounts,
): WorkEstimate {
  // No event comes of it, however many watch service accounts.
  if (info.subresource === 'token' && info.resource === 'serviceaccounts') return oneSeat;
  const count = watches.interestedIn(info);
  counts.observeWatchers(count);
  if (count < watchesPerSeat) return oneSeat;
  const wanted = Math.ceil(count / watchesPerSeat);
  const finalSeats = Math.min(wanted, seatsMax);
  // Narrower and longer, but as much work: wide requests keep seats empty while they wait for theirs.
  return { initialSeats: 1, finalSeats, additionalLatencyMs: (wanted * eventMs) / finalSeats };
}
