/** How many nodes of a zone are well, and how fast it may lose the others. */
import type { EvictionRates } from '../settings.ts';
import type { Node } from '../objects.ts';

/** `full`: none is ready. `initial`: not looked at yet. */
export type ZoneState = 'initial' | 'normal' | 'partial' | 'full';

export interface ZoneHealth {
  readonly ready: number;
  readonly unready: number;
}

/** Fewer unready nodes are no sign of more than their own trouble. */
const unreadyOfPartialMin = 3;

export function zoneStateOf({ ready, unready }: ZoneHealth, { unhealthyShare }: EvictionRates): ZoneState {
  if (ready === 0 && unready > 0) return 'full';
  const isPartial = unready >= unreadyOfPartialMin && unready / (ready + unready) >= unhealthyShare;
  return isPartial ? 'partial' : 'normal';
}

/** Of a cluster in which some other node is ready. */
export function evictionRateOf(state: ZoneState, health: ZoneHealth, rates: EvictionRates): number {
  if (state !== 'partial') return rates.usual;
  return health.ready + health.unready > rates.largeZoneNodes ? rates.secondary : 0;
}

/** Region and zone as metrics tell them; empty for neither. */
export function zoneOf({ metadata: { labels = {} } }: Node): string {
  const region = labels[olderRegionLabel] ?? labels[regionLabel] ?? '';
  const zone = labels[olderZoneLabel] ?? labels[zoneLabel] ?? '';
  return region === '' && zone === '' ? '' : `${region}:\0:${zone}`;
}

const regionLabel = 'topology.kubernetes.io/region';
const zoneLabel = 'topology.kubernetes.io/zone';
const olderRegionLabel = 'failure-domain.beta.kubernetes.io/region';
const olderZoneLabel = 'failure-domain.beta.kubernetes.io/zone';
