/** Estimates how many seats a request needs. */
import type { ApiRequest } from '../http/api-request.ts';
import type { FlowCounts } from './flow-counts.ts';
import { listSeats, mayBeLong, type StoredSizes } from './list-work.ts';
import { changeWork } from './change-work.ts';
import type { WatchTracker } from './watch-tracker.ts';
import { oneSeat, seats, type WorkEstimate } from './work-estimate.ts';

export type EstimateWork = (
  request: ApiRequest,
  /** The level's bound; 0 if only the general bound applies. */
  seatsMax: number,
  counts: FlowCounts,
) => WorkEstimate;

/** The general bound on a request's seats; a level's own may be lower. */
const listSeatsMax = 100;
const changeSeatsMax = 10;

export const workEstimator =
  (sizes: StoredSizes, watches: WatchTracker): EstimateWork =>
  (request, levelSeatsMax, counts) => {
    const { info } = request;
    switch (info.verb) {
      case 'list':
      case 'watch':
        if (!mayBeLong(request)) return oneSeat;
        return seats(listSeats(request, sizes, boundOf(levelSeatsMax, listSeatsMax)));
      case 'create':
      case 'update':
      case 'patch':
      case 'delete':
        return changeWork(info, watches, boundOf(levelSeatsMax, changeSeatsMax), counts);
      default:
        return oneSeat;
    }
  };

const boundOf = (ofLevel: number, general: number): number =>
  ofLevel === 0 ? general : Math.min(ofLevel, general);
