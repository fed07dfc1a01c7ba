/**
 * The leases that announce the leader: kube-system/kube-controller-manager and kube-scheduler. With a store of its own,
 * this process starts its parts without waiting for the leases; separate programs that join wait until it releases
 * them. With a shared store, its parts start when it becomes the leader, and stop when it no longer is.
 */
import { hostname } from 'node:os';
import { aborted, type Clock, type Random } from '@coxswain/apimachinery';
import { EventBroadcaster, runLeaderElection, type KubeClient } from '@coxswain/client';
import type { UserInfo } from '@coxswain/apiserver';
import { addonsUser, controllerManagerUser, schedulerUser } from './component-users.ts';
import type { Component, Components } from './components.ts';

export interface LeaderLeasesOptions {
  /** Works until the API server has stopped, since leases are released last. */
  readonly client: (user: UserInfo) => KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly newUid: () => string;
  /** Names of the components that start when this process becomes the leader, and stop when it no longer is. */
  readonly elected: Readonly<Partial<Record<LeaseName, readonly string[]>>>;
  readonly components: () => Components;
  readonly onError: (error: unknown) => void;
}

/** The name of each lease, its holder, and the user that records events about it. */
const leases = [
  { name: 'kube-controller-manager', user: controllerManagerUser, component: 'kube-controller-manager' },
  { name: 'kube-scheduler', user: schedulerUser, component: 'default-scheduler' },
  { name: 'coxswain', user: addonsUser, component: 'coxswain' },
] as const;
export type LeaseName = (typeof leases)[number]['name'];

/** Our own lease, which has no meaning unless another server waits for it. */
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

/** Holds the lease until the signal is aborted; a lost lease is requested again. */
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
