/** Metrics of the audit system itself. */
import type { Counter, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { AuditEvent, AuditLevel } from './audit-event.ts';
import { eventText } from './event-text.ts';

export class AuditMetrics {
  /** Events handed to the back end. */
  readonly events: Counter;
  /** Requests refused because their events could not be recorded. */
  readonly rejected: Counter;
  readonly #metrics: Metrics;
  readonly #levels = new Map<AuditLevel, Counter>();
  readonly #log: (line: string) => void;

  constructor(metrics: Metrics, log: (line: string) => void) {
    this.#metrics = metrics;
    this.#log = log;
    this.events = metrics.counter('apiserver_audit_event_total', 'Audit events passed to the back end.');
    this.rejected = metrics.counter(
      'apiserver_audit_requests_rejected_total',
      'Requests rejected because their audit event could not be recorded.',
    );
  }

  countLevel(level: AuditLevel): void {
    let counter = this.#levels.get(level);
    if (counter === undefined) {
      counter = this.#metrics.counter('apiserver_audit_level_total', 'Audited requests, by level.', {
        level,
      });
      this.#levels.set(level, counter);
    }
    counter.add();
  }

  /** Counts events that a back end could not write, and logs them instead. */
  lost(plugin: string, problem: string, events: readonly AuditEvent[]): void {
    this.#reportLost(plugin, problem, events.length, events.map((event) => `${eventText(event)}\n`).join(''));
  }

  /** Does the same when only the events' lines are left. */
  lostLines(plugin: string, problem: string, lines: string): void {
    this.#reportLost(plugin, problem, lines.split('\n').length - 1, lines);
  }

  #reportLost(plugin: string, problem: string, count: number, texts: string): void {
    this.#metrics
      .counter('apiserver_audit_error_total', 'Audit events that could not be recorded, by plugin.', {
        plugin,
      })
      .add(count);
    this.#log(
      `Error in audit plugin '${plugin}' affecting ${count} audit events: ${problem}\nImpacted events:\n${texts}`,
    );
  }
}

export type LostLines = AuditMetrics['lostLines'];
export type LostEvents = AuditMetrics['lost'];
