/**
 * Detects event-loop turns that take too long, and reports what ran in them. Every piece of work is noted when it
 * begins; the one with the longest time until the next note, or the end of the turn, blocked the others. While there is
 * work, a pulse detects work that nobody noted.
 */
import type { Clock } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { atNextTurn } from '@coxswain/apimachinery/next-turn.ts';

/** The maximum processor time of a turn; time used by other programs does not count. */
const turnMsMax = 50;

/** The maximum number of notes per turn; later work counts towards the last note. */
const notesMax = 256;

/** A turn without notes is detected when the pulse is late by more than the maximum. */
const pulseMs = 10;
/** How long pulses continue after the last note. */
const pulsesForMs = 1_000;

export interface TurnWatchOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: (line: string) => void;
  /** The processor time of this thread in milliseconds. */
  readonly cpuMs: () => number;
  readonly atNextTurn?: (callback: () => void) => void;
}

export class TurnWatch {
  readonly #options: TurnWatchOptions;
  readonly #clock: Clock;
  #steps: string[] = [];
  #beganMs: number[] = [];
  #beganCpuMs = 0;
  #lastStep = '';
  #lastNoteMs = 0;
  #isPulsing = false;
  #wasReported = false;
  #isBegun = false;

  constructor(options: TurnWatchOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /** Starts watching: turns during startup, in which code is compiled, don't matter. */
  begin(): void {
    this.#isBegun = true;
  }

  /** @param step the work that begins: `post configmaps`; a small set of values, since they are metric labels */
  note(step: string): void {
    if (!this.#isBegun) return;
    const nowMs = this.#clock.monotonic();
    if (this.#steps.length === 0) this.#begin(nowMs);
    if (this.#steps.length >= notesMax) return;
    this.#steps.push(step);
    this.#beganMs.push(nowMs);
  }

  #begin(nowMs: number): void {
    this.#beganCpuMs = this.#options.cpuMs();
    this.#lastNoteMs = nowMs;
    (this.#options.atNextTurn ?? atNextTurn)(this.#end);
    if (!this.#isPulsing) this.#pulse(nowMs);
  }

  readonly #end = (): void => {
    const endMs = this.#clock.monotonic();
    const [steps, beganMs] = [this.#steps, this.#beganMs];
    this.#steps = [];
    this.#beganMs = [];
    this.#lastStep = steps.at(-1)!;
    if (endMs - beganMs[0]! <= turnMsMax) return;
    const cpuMs = this.#options.cpuMs() - this.#beganCpuMs;
    if (cpuMs <= turnMsMax) return;
    const tookMs = beganMs.map((began, at) => (beganMs[at + 1] ?? endMs) - began);
    const longest = tookMs.indexOf(Math.max(...tookMs));
    this.#report(steps[longest]!, cpuMs, `, ${tookMs[longest]!.toFixed(0)} ms in ${steps[longest]}`);
  };

  #pulse(nowMs: number): void {
    this.#isPulsing = true;
    this.#wasReported = false;
    const cpuMs = this.#options.cpuMs();
    this.#clock.after(pulseMs, () => this.#onPulse(nowMs, cpuMs), { idle: true });
  }

  #onPulse(sinceMs: number, sinceCpuMs: number): void {
    const nowMs = this.#clock.monotonic();
    const lateMs = nowMs - sinceMs - pulseMs;
    const cpuMs = this.#options.cpuMs() - sinceCpuMs;
    if (lateMs > turnMsMax && cpuMs > turnMsMax && !this.#wasReported) {
      this.#report('unknown', cpuMs, ` outside of any step; the last one was ${this.#lastStep}`);
    }
    if (nowMs - this.#lastNoteMs < pulsesForMs) this.#pulse(nowMs);
    else this.#isPulsing = false;
  }

  #report(step: string, cpuMs: number, where: string): void {
    this.#wasReported = true;
    this.#options.metrics
      .counter(
        'coxswain_apiserver_long_turns_total',
        'Turns of the event loop that delayed all other requests by more than 50 ms, by the step that took longest.',
        { step },
      )
      .add();
    this.#options.log(`a turn of the event loop took ${cpuMs.toFixed(0)} ms of processor time${where}`);
  }
}

/** What Node tells about processor time, in microseconds. */
type CpuUsage = () => { readonly user: number; readonly system: number };

/**
 * The processor time of the calling thread in milliseconds. Where that is unknown: in Node before 23.9, the time of all
 * threads of the process; in browsers, the clock's time, which counts other programs.
 */
export function threadCpuTime(
  clock: Pick<Clock, 'monotonic'>,
  { threadCpuUsage, cpuUsage }: { threadCpuUsage?: CpuUsage; cpuUsage?: CpuUsage } = globalThis.process ?? {},
): () => number {
  const usage = threadCpuUsage ?? cpuUsage;
  if (usage === undefined) return () => clock.monotonic();
  return () => {
    const { user, system } = usage();
    return (user + system) / 1_000;
  };
}
