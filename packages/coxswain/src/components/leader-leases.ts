/**
 * The leases by which others see who leads: kube-system/kube-controller-manager and kube-scheduler. On a store of its own the
 * parts of this process begin without waiting for them; programs of their own that join wait until this one has given
 * them back. On a store that it shares they begin when it leads, and stop when it does no longer.
 */
import { hostname } from 'node:os';
import { aborted, type Clock, type Random } from '@coxswain/apimachinery';
import { EventBroadcaster, runLeaderElection, type KubeClient } from '@coxswain/client';
import type { UserInfo } from '@coxswain/apiserver';
import { addonsUser, controllerManagerUser, schedulerUser } from './component-users.ts';
import type { Component, Components } from './components.ts';

export interface LeaderLeasesOptions {
  /** Serves until the API server has stopped: leases are given back last. */
  readonly client: (user: UserInfo) => KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly newUid: () => string;
  /** Names of the components that begin when this process leads, and stop when it doesn't any more. */
  readonly elected: Readonly<Partial<Record<LeaseName, readonly string[]>>>;
  readonly components: () => Components;
  readonly onError: (error: unknown) => void;
}

/** Name of the lease, who holds it, and who tells events about it. */
const leases = [
  { name: 'kube-controller-manager', user: controllerManagerUser, component: 'kube-controller-manager' },
  { name: 'kube-scheduler', user: schedulerUser, component: 'default-scheduler' },
  { name: 'coxswain', user: addonsUser, component: 'coxswain' },
] as const;
export type LeaseName = (typeof leases)[number]['name'];

/** Of our own, and without a meaning where nobody waits for it. */
const isSharedOnly = (name: LeaseName): boolean => name === 'coxswain';

export const leaderLeases = (options: LeaderLeasesOptions): Component => ({
  name: 'leader-leases',
  start(signal) {
    const all = leases
      .filter(({ name }) => !isSharedOnly(name) || options.elected[name] !== undefined)
      .map((lease) => hold(lease, options, signal));
    return { ready: Promise.resolve(), stopped: Promise.all(all) };
  },
});

/** Until the signal; what was lost is asked for again. */
async function hold(
  { name, user, component }: (typeof leases)[number],
  { client: clientOf, clock, random, newUid, elected, components, onError }: LeaderLeasesOptions,
  signal: AbortSignal,
): Promise<void> {
  const client = clientOf(user);
  const events = new EventBroadcaster({ client, clock, random });
  const led = (elected[name] ?? []).filter((part) => components().names.includes(part));
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
      async lead(until) {
        for (const part of led) components().start(part).catch(onError);
        await aborted(until);
        await Promise.all(led.map((part) => components().stop(part)));
      },
    });
    await election.catch(onError);
  }
  await events.flushed();
}
