/** Runs a program of which one instance is the leader and the others wait. */
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
  /** The namespace of the lease. */
  readonly namespace: string;
  readonly name: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  /** Records events about the lease. */
  readonly component: string;
  readonly metrics: Metrics;
  /** Receives the progress of the election. */
  readonly health: LeaderHealth;
  /** Runs until its signal aborts, because leadership was lost or the program stops. */
  readonly lead: (signal: AbortSignal) => Promise<void>;
  readonly log: (text: string) => void;
}

/** Resolves when the signal has aborted and the lease was released. @throws Error if leadership was lost */
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
