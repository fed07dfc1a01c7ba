import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { hasEnded } from '@coxswain/kubelet/status/phase.ts';
import { AddressPool } from './address-pool.ts';

/** The addresses of a simulated node's pods. Pods keep their address when the node restarts. */
export class PodAddresses {
  readonly #pool: AddressPool;

  /** @throws Error if it is not an IPv4 range */
  constructor(cidr: string) {
    this.#pool = new AddressPool(cidr);
  }

  /** A pod that has an address keeps it in any phase; new pods get addresses after the one assigned last. */
  podsKnown(pods: readonly Pod[]): void {
    const addressed = pods.filter(({ spec, status }) => !spec?.hostNetwork && status?.podIP !== undefined);
    for (const pod of addressed)
      if (!hasEnded(pod)) for (const ip of addressesOf(pod)) this.#pool.reserve(ip);
    const newest = addressed.toSorted((a, b) => startOf(b) - startOf(a))[0];
    if (newest !== undefined) this.#pool.continueAfter(newest.status!.podIP!);
  }

  /** Returns undefined if all addresses are taken. */
  take(): string | undefined {
    return this.#pool.take();
  }

  release(address: string): void {
    this.#pool.release(address);
  }
}

const addressesOf = ({ status }: Pod): readonly string[] =>
  (status?.podIPs ?? [{ ip: status?.podIP ?? '' }]).map(({ ip }) => ip);

const startOf = ({ status }: Pod): number => Date.parse(status?.startTime ?? '') || 0;
