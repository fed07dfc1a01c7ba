/** Metrics of admission: the duration of each plugin and of each of the two phases. */
import type { Clock } from '@coxswain/apimachinery';
import type { Histogram, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { admissionDurationBounds } from '../metrics/request-bounds.ts';
import type { AdmissionOperation } from './plugin.ts';

export type AdmissionPhase = 'mutate' | 'validate';

/** Upstream's names of the phases. */
const types = { mutate: 'admit', validate: 'validate' } as const;

/** Durations of accepted and of rejected requests. */
export interface AdmissionTimes {
  readonly passed: Histogram;
  readonly rejected: Histogram;
}

export class AdmissionMetrics {
  readonly clock: Clock;
  readonly #metrics: Metrics;
  readonly #steps = new Map<string, AdmissionTimes>();

  constructor(metrics: Metrics, clock: Clock) {
    this.#metrics = metrics;
    this.clock = clock;
  }

  ofPlugin(name: string, phase: AdmissionPhase, operation: AdmissionOperation): AdmissionTimes {
    return this.#times(
      'apiserver_admission_controller_admission_duration_seconds',
      'How long an admission plugin takes.',
      { name, operation, type: types[phase] },
    );
  }

  ofPhase(phase: AdmissionPhase, operation: AdmissionOperation): AdmissionTimes {
    const key = `${phase} ${operation}`;
    let times = this.#steps.get(key);
    if (times === undefined) {
      times = this.#times(
        'apiserver_admission_step_admission_duration_seconds',
        'How long all admission plugins of a phase take.',
        { operation, type: types[phase] },
      );
      this.#steps.set(key, times);
    }
    return times;
  }

  #times(name: string, help: string, labels: Readonly<Record<string, string>>): AdmissionTimes {
    const made = (rejected: string) =>
      this.#metrics.histogram(name, help, admissionDurationBounds, { ...labels, rejected });
    let passed: Histogram | undefined;
    let rejected: Histogram | undefined;
    return {
      get passed() {
        return (passed ??= made('false'));
      },
      get rejected() {
        return (rejected ??= made('true'));
      },
    };
  }
}
