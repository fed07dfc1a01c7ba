/** An operator's audit configuration, and the auditing that a server builds from it. */
import type { Clock, Random } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { Auditing } from './audit-context.ts';
import type { AuditBackend } from './audit-event.ts';
import { AuditMetrics, type LostEvents, type LostLines } from './audit-metrics.ts';
import type { AuditPolicy } from './policy/audit-policy.ts';
import { policyEvaluator } from './policy/request-audit.ts';

export interface BackendParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly lost: LostEvents;
  readonly lostLines: LostLines;
}

export interface AuditSetup {
  readonly policy: AuditPolicy;
  readonly backend: (parts: BackendParts) => AuditBackend;
}

export interface AuditedServer {
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly log: (line: string) => void;
}

export function auditingOf({ policy, backend }: AuditSetup, server: AuditedServer): Auditing {
  const { clock, random, log } = server;
  const metrics = new AuditMetrics(server.metrics, log);
  const lost: LostEvents = (plugin, problem, events) => metrics.lost(plugin, problem, events);
  const lostLines: LostLines = (plugin, problem, lines) => metrics.lostLines(plugin, problem, lines);
  return {
    evaluate: policyEvaluator(policy),
    backend: backend({ clock, random, lost, lostLines }),
    metrics,
    clock,
    log,
  };
}
