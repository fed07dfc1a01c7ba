/**
 * Notices turns of the event loop that take too long, and says what was done in them. Whoever begins a piece of work
 * in the thread notes it; what takes longest until the next note, or the end of the turn, is what held all others up.
 */
import type { Clock } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { atNextTurn } from '@coxswain/apimachinery/next-turn.ts';

/** What nobody's request may hold the others up for. */
export const turnMsMax = 50;

/** Pieces of a turn that are told apart; what comes after them counts to the last. */
const notesMax = 256;

export class TurnWatch {
  readonly #clock: Clock;
  readonly #metrics: Metrics;
  readonly #log: (line: string) => void;
  readonly #atNextTurn: (callback: () => void) => void;
  #steps: string[] = [];
  #beganMs: number[] = [];

  constructor(
    clock: Clock,
    metrics: Metrics,
    log: (line: string) => void,
    schedule: (callback: () => void) => void = atNextTurn,
  ) {
    this.#clock = clock;
    this.#metrics = metrics;
    this.#log = log;
    this.#atNextTurn = schedule;
  }

  /** @param step what begins: `post configmaps`; few different ones, since they are labels of a metric */
  note(step: string): void {
    if (this.#steps.length === 0) this.#atNextTurn(this.#end);
    if (this.#steps.length >= notesMax) return;
    this.#steps.push(step);
    this.#beganMs.push(this.#clock.monotonic());
  }

  readonly #end = (): void => {
    const endMs = this.#clock.monotonic();
    const [steps, beganMs] = [this.#steps, this.#beganMs];
    this.#steps = [];
    this.#beganMs = [];
    const turnMs = endMs - beganMs[0]!;
    if (turnMs <= turnMsMax) return;
    const tookMs = beganMs.map((began, at) => (beganMs[at + 1] ?? endMs) - began);
    const longest = tookMs.indexOf(Math.max(...tookMs));
    const step = steps[longest]!;
    this.#metrics
      .counter(
        'coxswain_apiserver_long_turns_total',
        'Turns of the event loop that held up all other requests for more than 50 ms, by what took longest in them.',
        { step },
      )
      .add();
    this.#log(
      `a turn of the event loop took ${turnMs.toFixed(0)} ms, ${tookMs[longest]!.toFixed(0)} of them ${step}`,
    );
  };
}
