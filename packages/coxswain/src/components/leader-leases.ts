/**
 * The leases by which others see who leads: kube-system/kube-controller-manager and kube-scheduler. The parts of this
 * process begin without waiting for them, since no other instance works on the same storage; programs of their own
 * that join wait until this one has given them back.
 */
import { hostname } from 'node:os';
import { aborted, type Clock, type Random } from '@coxswain/apimachinery';
import { EventBroadcaster, runLeaderElection, type KubeClient } from '@coxswain/client';
import type { UserInfo } from '@coxswain/apiserver';
import { controllerManagerUser, schedulerUser } from './component-users.ts';
import type { Component } from './components.ts';

export interface LeaderLeasesOptions {
  /** Serves until the API server has stopped: leases are given back last. */
  readonly client: (user: UserInfo) => KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly newUid: () => string;
  readonly onError: (error: unknown) => void;
}

/** Name of the lease, who holds it, and who tells events about it. */
const leases = [
  { name: 'kube-controller-manager', user: controllerManagerUser, component: 'kube-controller-manager' },
  { name: 'kube-scheduler', user: schedulerUser, component: 'default-scheduler' },
] as const;

export const leaderLeases = (options: LeaderLeasesOptions): Component => ({
  name: 'leader-leases',
  start(signal) {
    const all = leases.map((lease) => hold(lease, options, signal));
    return { ready: Promise.resolve(), stopped: Promise.all(all) };
  },
});

/** Until the signal; what was lost is asked for again. */
async function hold(
  { name, user, component }: (typeof leases)[number],
  { client: clientOf, clock, random, newUid, onError }: LeaderLeasesOptions,
  signal: AbortSignal,
): Promise<void> {
  const client = clientOf(user);
  const events = new EventBroadcaster({ client, clock, random });
  while (!signal.aborted) {
    const election = runLeaderElection({
      client,
      namespace: 'kube-system',
      name,
      identity: `${hostname()}_${newUid()}`,
      clock,
      random,
      signal,
      releaseOnCancel: true,
      recorder: events.recorder(component),
      onError: (error) => signal.aborted || onError(error),
      lead: aborted,
    });
    await election.catch(onError);
  }
  await events.flushed();
}
