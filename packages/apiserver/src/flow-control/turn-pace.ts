/**
 * How many requests may start in one turn of the event loop. Seats bound what is under way at once; but here
 * most requests are served the moment they start, in one thread, and a client that has sent a hundred of them
 * in one packet would be served a hundred times before anybody else is read. So a turn takes about as many as
 * fit into `turnMs`; the others wait in their queues, and the fair order decides who is next.
 *
 * What a request costs is measured, by how long turns take that have several, answers and encryption included.
 */
import type { Clock } from '@coxswain/apimachinery';

/** What a turn should take. Alone on the server, a client notices nothing: it is the same work in more turns. */
const turnMs = 4;
/**
 * So many start in every turn. What else is done in a turn counts as theirs, and so does what other processes do
 * meanwhile: if it alone took `turnMs`, one request would start in each turn, and would look just as expensive.
 */
const startsMin = 16;
/** When a turn has taken this long, no more start in it, whatever they were thought to cost, but for the first few. */
const turnMsMax = 12;
const startsAnyway = 2;
/** Fewer requests than these are not looked at: to look has its cost, too. */
const fewRequests = 32;
/** The part of what is known that a newer sample leaves. */
const keptPart = 0.7;
/** A single turn in which the machine did something else must not make requests look expensive. */
const growthMax = 2;

export type NextTurn = (callback: () => void) => void;

/** Browsers have no setImmediate. */
const nextTurnOf = (clock: Clock): NextTurn =>
  typeof setImmediate === 'function'
    ? (callback) => void setImmediate(callback)
    : (callback) => void clock.after(0, callback);

export class TurnPace {
  readonly #clock: Clock;
  readonly #nextTurn: NextTurn;
  /** Since the last turn that was measured. */
  #unmeasured = 0;
  #isMeasuring = false;
  /** Whether all that started in the turn was counted. */
  #isWhole = false;
  #sinceMs = 0;
  /** In the turn that is measured. */
  #started = 0;
  #startsMax = Number.POSITIVE_INFINITY;
  #costMs = 0;
  #waiting: (() => void)[] = [];

  constructor(clock: Clock, nextTurn: NextTurn = nextTurnOf(clock)) {
    this.#clock = clock;
    this.#nextTurn = nextTurn;
  }

  /** Whether one more may start in this turn. */
  get isOpen(): boolean {
    if (!this.#isMeasuring) return true;
    if (this.#started >= this.#startsMax) return false;
    return this.#started < startsAnyway || this.#clock.monotonic() - this.#sinceMs < turnMsMax;
  }

  /** Notes that a request starts. */
  note(nowMs: number): void {
    if (this.#isMeasuring) this.#started++;
    else if (++this.#unmeasured >= fewRequests) this.#measure(nowMs, false);
  }

  /** Calls `resume` once in the next turn. */
  whenOpen(resume: () => void): void {
    if (!this.#isMeasuring) this.#measure(this.#clock.monotonic(), false);
    if (!this.#waiting.includes(resume)) this.#waiting.push(resume);
  }

  #measure(nowMs: number, isWhole: boolean): void {
    this.#isMeasuring = true;
    this.#isWhole = isWhole;
    this.#sinceMs = nowMs;
    this.#started = 0;
    this.#nextTurn(() => this.#endTurn());
  }

  #endTurn(): void {
    const nowMs = this.#clock.monotonic();
    // Those that were not counted have a part in how long it took: it must be a small one.
    if (this.#started >= (this.#isWhole ? 1 : fewRequests)) {
      this.#learn((nowMs - this.#sinceMs) / this.#started);
    }
    this.#isMeasuring = false;
    this.#unmeasured = 0;
    const resumed = this.#waiting;
    if (resumed.length === 0) return;
    this.#waiting = [];
    this.#measure(nowMs, true);
    for (const resume of resumed) resume();
    // Who came first now comes last: levels take turns.
    if (this.#waiting[0] === resumed[0]) this.#waiting.push(this.#waiting.shift()!);
  }

  #learn(sampleMs: number): void {
    const known = this.#costMs;
    const believedMs = known === 0 ? sampleMs : Math.min(sampleMs, growthMax * known);
    this.#costMs = known === 0 ? sampleMs : keptPart * known + (1 - keptPart) * believedMs;
    this.#startsMax = Math.max(startsMin, Math.floor(turnMs / this.#costMs));
  }
}
