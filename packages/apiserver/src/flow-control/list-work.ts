/** The seats of lists, and of watches with initial events: by the memory that they may need. */
import type { ApiRequest } from '../http/api-request.ts';

export interface StoredSize {
  readonly objects: number;
  readonly bytesAverage: number;
}

/** Undefined for resources that this server does not store. */
export type StoredSizes = (group: string, resource: string) => StoredSize | undefined;

const bytesPerSeat = 100_000;
/** A list from the cache is sent while it is encoded, so no more than this is in memory at once. */
const cachedBytesMax = 1_000_000;
/** The assumed size of objects of unknown size: the maximum that a store accepts. */
const objectBytesMax = 1_500_000;

/** Whether the request may take more than a moment: a watch from a revision sends nothing at first. */
export function mayBeLong({ info, parameters, hasQuery }: ApiRequest): boolean {
  if (info.verb === 'list') return true;
  if (!hasQuery || parameters.get('sendInitialEvents') === 'true') return true;
  const from = parameters.get('resourceVersion') ?? '';
  return from === '' || from === '0';
}

/** @returns seats between 1 and `seatsMax` */
export function listSeats(request: ApiRequest, sizes: StoredSizes, seatsMax: number): number {
  const { info } = request;
  const stored = sizes(info.group, info.resource);
  if (stored === undefined || stored.objects === 0) return 1;
  const bytesEach = stored.bytesAverage > 0 ? stored.bytesAverage : objectBytesMax;
  const isCached = info.verb === 'watch' || isServedFromCache(request);
  const bytes = bytesEach * objectsInMemory(request, stored.objects, isCached);
  const seats = Math.ceil((isCached ? Math.min(bytes, cachedBytesMax) : bytes) / bytesPerSeat);
  return Math.max(1, Math.min(seats, seatsMax));
}

function objectsInMemory(request: ApiRequest, objects: number, isCached: boolean): number {
  if (request.info.name !== '') return 1;
  if (!request.hasQuery) return objects;
  const { parameters } = request;
  const limit = Number(parameters.get('limit') ?? 0);
  const asked = limit > 0 && limit < objects ? limit : objects;
  const selects = Boolean(parameters.get('labelSelector')) || Boolean(parameters.get('fieldSelector'));
  return selects && !isCached ? Math.max(asked, Math.trunc(objects / 2)) : asked;
}

/** Follows upstream's distinction, where pages and exact revisions are read from etcd. */
function isServedFromCache({ parameters, hasQuery }: ApiRequest): boolean {
  if (!hasQuery) return true;
  const revision = parameters.get('resourceVersion') ?? '';
  switch (parameters.get('resourceVersionMatch') ?? '') {
    case 'NotOlderThan':
      return true;
    case '':
      if (parameters.get('continue')) return false;
      return Number(parameters.get('limit') ?? 0) <= 0 || revision === '' || revision === '0';
    default:
      return false;
  }
}
