/** A priority level in use: its configuration, its queues, and its current share of the server's seats. */
import type { PriorityLevelConfigurationSpec } from '@coxswain/api/flowcontrol/v1/priority-level-configuration-spec.ts';
import type { Clock } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { TimingHistogram } from '@coxswain/apimachinery/metrics/timing-histogram.ts';
import { AwaitedBodies } from './awaited-bodies.ts';
import { flowMetric } from './flow-counts.ts';
import { QueueSet, type Queuing, type SeatObserver } from './queue-set.ts';
import { SeatDemand } from './seat-demand.ts';

/** A single request takes at most this percentage of the nominal limit. */
const requestSeatsMaxPercent = 15;

/** Levels of nodes, leader election and cluster components, where waiting endangers the cluster. */
const urgentLevels: ReadonlySet<string> = new Set(['exempt', 'leader-election', 'node-high', 'system']);

/** The bounds within which borrowing adjusts a level's limit. */
export interface LevelLimits {
  readonly nominal: number;
  readonly min: number;
  readonly max: number;
}

/** Shared by all levels. */
export interface LevelContext {
  readonly clock: Clock;
  readonly metrics: Metrics;
}

export class PriorityLevel implements SeatObserver {
  readonly name: string;
  /** Empty while the level is only assumed, not stored. */
  uid: string;
  spec: PriorityLevelConfigurationSpec;
  queuing: Queuing;
  readonly set: QueueSet;
  readonly awaited: AwaitedBodies;
  readonly demand: SeatDemand;
  limits: LevelLimits = { nominal: 0, min: 0, max: 0 };
  current = 0;
  /** The target of the last adjustment, from demand and bounds. */
  target = 0;
  /** The maximum number of seats of a request; 0 if only the general bound applies. */
  requestSeatsMax = 0;
  /** Whether its object was deleted; remaining requests are still served. */
  isQuiescing = false;
  readonly #utilization: LevelUtilization;

  constructor(
    { clock, metrics }: LevelContext,
    name: string,
    uid: string,
    spec: PriorityLevelConfigurationSpec,
  ) {
    this.name = name;
    this.uid = uid;
    this.spec = spec;
    this.queuing = queuingOf(spec);
    this.set = new QueueSet(clock, this);
    this.awaited = new AwaitedBodies(clock, () => this.set.waiting > 0);
    this.demand = new SeatDemand(clock.monotonic());
    this.#utilization = utilizationOf(metrics, name, () => clock.monotonic());
    reportLevel(metrics, this);
  }

  get isUrgent(): boolean {
    return urgentLevels.has(this.name);
  }

  get isExempt(): boolean {
    return this.queuing.kind === 'exempt';
  }

  /** Applies a newer object of the same name. */
  renew(uid: string, spec: PriorityLevelConfigurationSpec): void {
    this.uid = uid;
    this.spec = spec;
    this.queuing = queuingOf(spec);
    this.isQuiescing = false;
  }

  setLimits(limits: LevelLimits): void {
    this.limits = limits;
    const { queuing } = this;
    if (queuing.kind !== 'queue') return;
    const few = Math.ceil((limits.nominal * requestSeatsMaxPercent) / 100);
    this.requestSeatsMax = Math.max(1, Math.min(few, Math.trunc(limits.nominal / queuing.handSize)));
  }

  /** @param forNone the base of utilization when the level has no seats */
  setCurrent(seats: number, forNone: number): void {
    this.current = seats;
    const denominator = seats > 0 ? seats : forNone;
    const { queuing } = this;
    const capacity = queuing.kind === 'queue' ? queuing.queues * Math.max(1, queuing.lengthMax) : 1;
    this.#utilization.seats.denominator = denominator;
    this.#utilization.executing.denominator = denominator;
    this.#utilization.demand.denominator = denominator;
    this.#utilization.waiting.denominator = capacity;
    this.set.configure(queuing, seats);
  }

  seatsChanged({ waiting, executing, seatsInUse, seatsWaiting }: QueueSet, nowMs: number): void {
    const { seats, executing: requests, waiting: queued, demand } = this.#utilization;
    this.demand.set(seatsInUse + seatsWaiting, nowMs);
    demand.set(seatsInUse + seatsWaiting, nowMs);
    seats.set(seatsInUse, nowMs);
    requests.set(executing, nowMs);
    queued.set(waiting, nowMs);
  }
}

/** As upstream: unset numbers get their defaults when objects are read. */
function queuingOf({ type, limited }: PriorityLevelConfigurationSpec): Queuing {
  if (type === 'Exempt') return { kind: 'exempt' };
  const queuing = limited?.limitResponse?.queuing;
  if (limited?.limitResponse?.type !== 'Queue' || queuing === undefined) return { kind: 'reject' };
  const { queues, handSize, queueLengthLimit } = queuing;
  return { kind: 'queue', queues, handSize, lengthMax: queueLengthLimit };
}

export interface LevelShares {
  readonly shares: number;
  readonly lendablePercent: number;
  /** If unset, it may borrow without limit. */
  readonly borrowingPercent: number | undefined;
}

export function sharesOf({ limited, exempt }: PriorityLevelConfigurationSpec): LevelShares {
  const from = limited ?? exempt;
  return {
    shares: from?.nominalConcurrencyShares ?? 0,
    lendablePercent: from?.lendablePercent ?? 0,
    borrowingPercent: limited?.borrowingLimitPercent,
  };
}

/**
 * Whether a level's spec is usable; validation ensures this, but an older or another server may have stored other
 * objects.
 */
export function isUsable(name: string, { type, limited, exempt }: PriorityLevelConfigurationSpec): boolean {
  const isExempt = type === 'Exempt';
  if (isExempt !== (name === 'exempt') || isExempt !== (exempt !== undefined)) return false;
  if ((type === 'Limited') !== (limited !== undefined)) return false;
  if (limited === undefined) return true;
  const { limitResponse } = limited;
  if ((limitResponse?.type === 'Reject') !== (limitResponse?.queuing === undefined)) return false;
  const queuing = limitResponse?.queuing;
  return queuing === undefined || (queuing.handSize >= 1 && queuing.queues >= queuing.handSize);
}

interface LevelUtilization {
  readonly seats: TimingHistogram;
  readonly executing: TimingHistogram;
  readonly waiting: TimingHistogram;
  readonly demand: TimingHistogram;
}

const utilizationOf = (metrics: Metrics, priorityLevel: string, now: () => number): LevelUtilization => {
  const report = (name: string, help: string, bounds: readonly number[], phase: object = {}) =>
    metrics.timing(
      `${flowMetric}${name}`,
      `${help} Every nanosecond counts.`,
      bounds,
      { ...phase, priority_level: priorityLevel },
      now,
    );
  const requests = (phase: string) =>
    report('priority_level_request_utilization', 'Requests, as a part of what is taken in.', requestBounds, {
      phase,
    });
  return {
    seats: report('priority_level_seat_utilization', 'The part of the seats that is taken.', seatBounds, {
      phase: 'executing',
    }),
    executing: requests('executing'),
    waiting: requests('waiting'),
    demand: report('demand_seats', 'Seats that could be used, as a part of those there are.', demandBounds),
  };
};

const seatBounds: readonly number[] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const requestBounds: readonly number[] = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1];
const demandBounds: readonly number[] = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6];

/** Sets the level's own gauges. */
function reportLevel(metrics: Metrics, level: PriorityLevel): void {
  const report = (name: string, help: string, read: (level: PriorityLevel) => number, bound: object = {}) => {
    const labels = { ...bound, priority_level: level.name };
    metrics.reading('gauge', `${flowMetric}${name}`, help, labels, () => read(level));
  };
  for (const [name, help, read] of levelGauges) report(name, help, read);
  for (const [name, help, bound, read] of boundGauges) report(name, help, read, { bound });
}

const levelGauges: readonly (readonly [string, string, (level: PriorityLevel) => number])[] = [
  ['nominal_limit_seats', 'Seats that a level has by its configuration.', ({ limits }) => limits.nominal],
  ['lower_limit_seats', 'Seats that a level keeps whatever others need.', ({ limits }) => limits.min],
  ['upper_limit_seats', 'Seats that a level has at most.', ({ limits }) => limits.max],
  ['current_limit_seats', 'Seats that a level has now.', ({ current }) => current],
  ['target_seats', 'Seats that were aimed at for a level.', ({ target }) => target],
  [
    'demand_seats_high_watermark',
    'The most seats needed in the last period.',
    (level) => level.demand.highWatermark,
  ],
  ['demand_seats_average', 'Seats needed in the last period, on average.', ({ demand }) => demand.average],
  ['demand_seats_stdev', 'Standard deviation of the seats needed.', ({ demand }) => demand.deviation],
  ['demand_seats_smoothed', 'Seats needed, smoothed over periods.', ({ demand }) => demand.smoothed],
  ['current_r', 'The progress meter of the queues, in seat-seconds.', ({ set }) => set.currentR / 1000],
  ['dispatch_r', 'The progress meter at the last dispatch.', ({ set }) => set.lastDispatch.r / 1000],
  ['latest_s', 'When the last dispatched request was due.', ({ set }) => set.lastDispatch.due / 1000],
];

const due = 'When the next requests of the queues are due, in seat-seconds.';
const discounted = 'When the next requests of the queues are due, less what is worked on.';

const boundGauges: readonly (readonly [string, string, string, (level: PriorityLevel) => number])[] = [
  ['next_s_bounds', due, 'min', ({ set }) => set.lastDispatch.dueMin / 1000],
  ['next_s_bounds', due, 'max', ({ set }) => set.lastDispatch.dueMax / 1000],
  ['next_discounted_s_bounds', discounted, 'min', ({ set }) => set.lastDispatch.discountedMin / 1000],
  ['next_discounted_s_bounds', discounted, 'max', ({ set }) => set.lastDispatch.discountedMax / 1000],
];
