/**
 * Assigns requests to flows and divides the server's seats among the priority levels: digests the configuration objects
 * whenever they change, and lets levels borrow from each other.
 */
import {
  mandatoryFlowSchemaSpecs,
  mandatoryPriorityLevelSpecs,
} from '@coxswain/api/flowcontrol/mandatory-specs.ts';
import { byPrecedence } from '@coxswain/api/flowcontrol/precedence.ts';
import type { FlowSchema, FlowSchemaSpec } from '@coxswain/api/flowcontrol/v1/flow-schema.ts';
import type { PriorityLevelConfiguration } from '@coxswain/api/flowcontrol/v1/index.ts';
import type { Clock, Timer } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { RequestInfo } from '../request-info.ts';
import type { UserInfo } from '../user.ts';
import { borrowSeats } from './borrow-seats.ts';
import { Flow } from './flow.ts';
import { FlowCounts, flowMetric } from './flow-counts.ts';
import { FlowsOfUsers } from './flows-of-users.ts';
import { isUsable, PriorityLevel, sharesOf, type LevelContext } from './priority-level.ts';

export interface FlowControllerOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** The seats of all levels together: `--max-requests-inflight` plus `--max-mutating-requests-inflight`. */
  readonly seatsTotal: number;
  /** Called with the nominal number of seats and the number of requests that may wait. */
  readonly onDivision?: (seats: number, places: number) => void;
}

/** The interval at which limits follow demand. */
const borrowingPeriodMs = 10_000;

export class FlowController {
  readonly #surroundings: LevelContext;
  readonly #seatsTotal: number;
  readonly #onDivision: ((seats: number, places: number) => void) | undefined;
  readonly #counts = new Map<string, FlowCounts>();
  #levels: ReadonlyMap<string, PriorityLevel> = new Map();
  #flows: readonly Flow[] = [];
  #flowsOf = new FlowsOfUsers([]);
  #nominalSum = 0;
  #fairFraction = 0;
  #levelObjects: readonly PriorityLevelConfiguration[] = [];
  #schemaObjects: readonly FlowSchema[] = [];
  #timer: Timer | undefined;

  /** Starts with the mandatory objects as if they existed. */
  constructor({ clock, metrics, seatsTotal, onDivision }: FlowControllerOptions) {
    this.#onDivision = onDivision;
    this.#surroundings = { clock, metrics };
    this.#seatsTotal = seatsTotal;
    const help = 'The part of its demand that each level has of the seats.';
    metrics.reading('gauge', `${flowMetric}seat_fair_frac`, help, {}, () => this.#fairFraction);
    this.digest([], []);
  }

  get levels(): ReadonlyMap<string, PriorityLevel> {
    return this.#levels;
  }

  /** In matching order. */
  get flows(): readonly Flow[] {
    return this.#flows;
  }

  /** The first schema, by precedence and then name, that matches the request. */
  flowOf(info: RequestInfo, user: UserInfo): Flow {
    return this.#flowsOf.find(info, user) ?? this.#catchAll();
  }

  /** Starts adjusting limits to demand. */
  start(): void {
    this.#timer ??= this.#surroundings.clock.after(borrowingPeriodMs, () => this.#adjust(), { idle: true });
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Digests all current objects. Returns the names of levels that exist and are usable. */
  digest(
    levelObjects: readonly PriorityLevelConfiguration[],
    schemaObjects: readonly FlowSchema[],
  ): ReadonlySet<string> {
    this.#levelObjects = levelObjects;
    this.#schemaObjects = schemaObjects;
    const levels = new Map<string, PriorityLevel>();
    for (const { metadata, spec } of levelObjects) {
      const name = metadata.name!;
      if (isUsable(name, spec)) levels.set(name, this.#levelOf(name, metadata.uid ?? '', spec));
    }
    const usable = new Set(levels.keys());
    for (const [name, spec] of mandatoryPriorityLevelSpecs) {
      if (!levels.has(name)) levels.set(name, this.#imagined(name, spec));
    }
    this.#flows = this.#flowsFor(schemaObjects, usable, levels);
    for (const [name, level] of this.#levels) {
      if (levels.has(name) || level.set.isIdle) continue;
      level.isQuiescing = true;
      levels.set(name, level);
    }
    this.#levels = levels;
    this.#flowsOf = new FlowsOfUsers(this.#flows);
    this.#divide();
    return usable;
  }

  /** Called after a response: a level whose object was deleted is removed with its last request. */
  reap(level: PriorityLevel): void {
    if (level.isQuiescing && level.set.isIdle && this.#levels.get(level.name) === level) {
      this.digest(this.#levelObjects, this.#schemaObjects);
    }
  }

  #adjust(): void {
    this.#borrow();
    this.#timer = undefined;
    this.start();
  }

  #levelOf(name: string, uid: string, spec: PriorityLevelConfiguration['spec']): PriorityLevel {
    const known = this.#levels.get(name);
    if (known === undefined) return new PriorityLevel(this.#surroundings, name, uid, spec);
    known.renew(uid, spec);
    return known;
  }

  /** The last known configuration of the level, or the mandatory one. */
  #imagined(name: string, spec: PriorityLevelConfiguration['spec']): PriorityLevel {
    return this.#levels.get(name) ?? new PriorityLevel(this.#surroundings, name, '', spec);
  }

  #flowsFor(
    objects: readonly FlowSchema[],
    usable: ReadonlySet<string>,
    levels: ReadonlyMap<string, PriorityLevel>,
  ): Flow[] {
    const flows = objects
      .filter(({ spec }) => usable.has(spec.priorityLevelConfiguration.name))
      .toSorted(byPrecedence)
      .map(({ metadata, spec }) => this.#flow(metadata.name!, metadata.uid ?? '', spec, levels));
    const imagined = (name: string) =>
      flows.some((flow) => flow.name === name)
        ? []
        : [this.#flow(name, '', mandatoryFlowSchemaSpecs.get(name)!, levels)];
    return [...imagined('exempt'), ...flows, ...imagined('catch-all')];
  }

  #flow(name: string, uid: string, spec: FlowSchemaSpec, levels: ReadonlyMap<string, PriorityLevel>): Flow {
    const level = levels.get(spec.priorityLevelConfiguration.name)!;
    return new Flow(name, uid, spec, level, () => this.#countsOf(level.name, name));
  }

  #countsOf(level: string, schema: string): FlowCounts {
    const key = `${level}/${schema}`;
    const known = this.#counts.get(key);
    if (known !== undefined) return known;
    const counts = new FlowCounts(this.#surroundings.metrics, level, schema);
    this.#counts.set(key, counts);
    return counts;
  }

  /** For users that are in neither system:authenticated nor system:unauthenticated. */
  #catchAll(): Flow {
    return this.#flows.find(({ name }) => name === 'catch-all')!;
  }

  /**
   * Gives each level its nominal limit in proportion to its shares, rounded up, so the sum may exceed the total
   * slightly.
   */
  #divide(): void {
    const levels = [...this.#levels.values()];
    const sharesTotal = levels.reduce((sum, { spec }) => sum + sharesOf(spec).shares, 0);
    this.#nominalSum = 0;
    for (const level of levels) {
      const { shares, lendablePercent, borrowingPercent } = sharesOf(level.spec);
      const nominal = Math.ceil((this.#seatsTotal * shares) / sharesTotal);
      const lendable = Math.round((nominal * lendablePercent) / 100);
      const borrowable =
        borrowingPercent === undefined ? this.#seatsTotal : Math.round((nominal * borrowingPercent) / 100);
      level.setLimits({ nominal, min: nominal - lendable, max: nominal + borrowable });
      this.#nominalSum += nominal;
    }
    this.#borrow();
    this.#onDivision?.(this.#nominalSum, this.#places());
  }

  #places(): number {
    let sum = 0;
    for (const { queuing } of this.#levels.values()) {
      if (queuing.kind === 'queue') sum += queuing.queues * queuing.lengthMax;
    }
    return sum;
  }

  #borrow(): void {
    const forNone = Math.max(1, Math.round(this.#seatsTotal / 10));
    const nowMs = this.#surroundings.clock.monotonic();
    this.#fairFraction = borrowSeats([...this.#levels.values()], this.#nominalSum, forNone, nowMs);
  }
}
