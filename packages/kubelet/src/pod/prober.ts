import { detach } from '@coxswain/apimachinery/detach.ts';
import type { Clock, Timer } from '@coxswain/apimachinery';
import type { Probe } from '@coxswain/api/core/v1/probe.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ProbeKind, ProbeResult } from '../runtime.ts';

export interface ProberOptions {
  readonly probe: Probe;
  readonly kind: ProbeKind;
  readonly clock: Clock;
  readonly run: () => Promise<ProbeResult>;
  /** Called when enough consecutive successes or failures have changed the result. */
  readonly changed: (success: boolean, inARow: number) => void;
  readonly failed: (output: string) => void;
}

/**
 * A container counts as alive until the probe fails, but as not ready until it succeeds. Whether it has started is open:
 * failure restarts it.
 */
const initialVerdicts = { Liveness: true, Readiness: false, Startup: undefined } as const;

/** Probes a container repeatedly until stopped. */
export class Prober {
  readonly #options: ProberOptions;
  #timer: Timer | undefined;
  #stopped = false;
  #verdict: boolean | undefined;
  #inARow = 0;
  #latest: boolean | undefined;

  constructor(options: ProberOptions) {
    this.#options = options;
    this.#verdict = initialVerdicts[options.kind];
    this.#timer = options.clock.after((options.probe.initialDelaySeconds ?? 0) * 1000, () =>
      detach(this.#tick()),
    );
  }

  get kind(): ProbeKind {
    return this.#options.kind;
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  async #tick(): Promise<void> {
    const { probe, clock, run, changed, failed } = this.#options;
    let result: ProbeResult;
    try {
      result = await run();
    } catch (error) {
      result = { success: false, output: messageOf(error) };
    }
    if (this.#stopped) return;
    this.#inARow = result.success === this.#latest ? this.#inARow + 1 : 1;
    this.#latest = result.success;
    if (!result.success) failed(result.output);
    const threshold = result.success ? (probe.successThreshold ?? 1) : (probe.failureThreshold ?? 3);
    if (this.#verdict !== result.success && this.#inARow >= threshold) {
      this.#verdict = result.success;
      changed(result.success, this.#inARow);
    }
    if (!this.#stopped)
      this.#timer = clock.after((probe.periodSeconds ?? 10) * 1000, () => detach(this.#tick()));
  }
}
