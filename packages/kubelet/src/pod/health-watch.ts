import type { Clock } from '@coxswain/apimachinery';
import type { ProbeKind, Runtime } from '../runtime.ts';
import type { ContainerRecord } from './container-record.ts';
import { Prober } from './prober.ts';

export interface HealthWatchOptions {
  readonly runtime: Runtime;
  readonly clock: Clock;
  /** `started` or `ready` of a record has changed. */
  readonly changed: () => void;
  /** A container is to be restarted. */
  readonly unhealthy: (record: ContainerRecord, probe: 'startup' | 'liveness') => void;
  readonly failed: (record: ContainerRecord, message: string) => void;
}

const probeFields = {
  Readiness: 'readinessProbe',
  Liveness: 'livenessProbe',
  Startup: 'startupProbe',
} as const;

/** Keeps `started` and `ready` of running containers as their probes say: the startup probe first, then the others. */
export class HealthWatch {
  readonly #options: HealthWatchOptions;
  readonly #probers = new Map<ContainerRecord, Prober[]>();

  constructor(options: HealthWatchOptions) {
    this.#options = options;
  }

  /** A container without probes is started and ready at once. */
  start(record: ContainerRecord): void {
    record.started = !record.spec.startupProbe;
    if (record.started) return this.#watchRunning(record);
    this.#probe(record, 'Startup', (success) => {
      if (!success) return this.#options.unhealthy(record, 'startup');
      this.stop(record);
      record.started = true;
      this.#watchRunning(record);
      this.#options.changed();
    });
  }

  stop(record: ContainerRecord): void {
    for (const prober of this.#probers.get(record) ?? []) prober.stop();
    this.#probers.delete(record);
  }

  #watchRunning(record: ContainerRecord): void {
    const { readinessProbe, livenessProbe } = record.spec;
    record.ready = !readinessProbe && !record.neverReady;
    if (record.role === 'init') return;
    if (readinessProbe) {
      this.#probe(record, 'Readiness', (success) => {
        record.ready = success;
        this.#options.changed();
      });
    }
    if (livenessProbe) {
      this.#probe(record, 'Liveness', (success) => {
        if (!success) this.#options.unhealthy(record, 'liveness');
      });
    }
  }

  #probe(record: ContainerRecord, kind: ProbeKind, changed: (success: boolean) => void): void {
    const { runtime, clock, failed } = this.#options;
    const probe = record.spec[probeFields[kind]]!;
    const prober = new Prober({
      probe,
      kind,
      clock,
      changed,
      run: () => runtime.probe(record.id!, probe, kind),
      failed: (output) => failed(record, `${kind} probe failed: ${output}`),
    });
    this.#probers.set(record, [...(this.#probers.get(record) ?? []), prober]);
  }
}
