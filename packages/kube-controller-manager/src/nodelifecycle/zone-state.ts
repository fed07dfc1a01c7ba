/** The health of a zone, and the resulting eviction rate. */
import type { EvictionRates } from '../settings.ts';
import type { Node } from '../objects.ts';

/** `full`: no node is ready. `initial`: not checked yet. */
export type ZoneState = 'initial' | 'normal' | 'partial' | 'full';

export interface ZoneHealth {
  readonly ready: number;
  readonly unready: number;
}

/** Fewer unready nodes are not taken as a disruption of the zone. */
const unreadyOfPartialMin = 3;

export function zoneStateOf({ ready, unready }: ZoneHealth, { unhealthyShare }: EvictionRates): ZoneState {
  if (ready === 0 && unready > 0) return 'full';
  const isPartial = unready >= unreadyOfPartialMin && unready / (ready + unready) >= unhealthyShare;
  return isPartial ? 'partial' : 'normal';
}

/** For a cluster in which some node is ready. */
export function evictionRateOf(state: ZoneState, health: ZoneHealth, rates: EvictionRates): number {
  if (state !== 'partial') return rates.usual;
  return health.ready + health.unready > rates.largeZoneNodes ? rates.secondary : 0;
}

/** Region and zone in the format of metrics; empty if both are missing. */
export function zoneOf({ metadata: { labels = {} } }: Node): string {
  const region = labels[olderRegionLabel] ?? labels[regionLabel] ?? '';
  const zone = labels[olderZoneLabel] ?? labels[zoneLabel] ?? '';
  return region === '' && zone === '' ? '' : `${region}:\0:${zone}`;
}

const regionLabel = 'topology.kubernetes.io/region';
const zoneLabel = 'topology.kubernetes.io/zone';
const olderRegionLabel = 'failure-domain.beta.kubernetes.io/region';
const olderZoneLabel = 'failure-domain.beta.kubernetes.io/zone';
