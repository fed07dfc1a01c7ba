/** The work of a program of which one instance leads and the others wait. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { EventBroadcaster, runLeaderElection, type KubeClient } from '@coxswain/client';
import type { LeaderHealth } from './leader-health.ts';
import { leadershipGauge } from '@coxswain/client/leadership-metrics.ts';

export interface ElectedProgram {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  /** Of the lease. */
  readonly namespace: string;
  readonly name: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  /** Who tells events about the lease. */
  readonly component: string;
  readonly metrics: Metrics;
  /** Is told how the election goes. */
  readonly health: LeaderHealth;
  /** Works until its signal says that leadership is lost or all is over. */
  readonly lead: (signal: AbortSignal) => Promise<void>;
  readonly log: (text: string) => void;
}

/** Resolves when the signal is aborted, and the lease is given back. @throws Error when leadership was lost */
export async function runElected(program: ElectedProgram): Promise<void> {
  const { client, component, metrics, health, name, log, ...election } = program;
  const gauge = leadershipGauge(metrics, name);
  const events = new EventBroadcaster({ client });
  try {
    await runLeaderElection({
      ...election,
      client,
      name,
      identity: `${hostname()}_${randomUUID()}`,
      releaseOnCancel: true,
      recorder: events.recorder(component),
      onLeadership(leads) {
        gauge(leads);
        health.onLeadership(leads);
      },
      onRenewed: health.onRenewed,
      onNewLeader: (identity) => log(`new leader: ${identity}`),
      onError: (error) => log(`leader election: ${messageOf(error)}`),
    });
  } finally {
    await events.flushed();
  }
}
