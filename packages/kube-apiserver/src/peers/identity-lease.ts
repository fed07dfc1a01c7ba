/** The Lease that identifies an API server to its peers. */
import { createHash } from 'node:crypto';
import type { Clock } from '@coxswain/apimachinery';
import type { Lease } from '@coxswain/api/coordination/v1/lease.ts';
import type { SystemObjects } from './system-objects.ts';

export const leasesPath = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const leaseSeconds = 3600;
/** A holder that renewed within this time is alive: renewals are every 10 s. */
const aliveMs = 30_000;

export interface IdentityLeaseParts {
  readonly objects: SystemObjects;
  readonly clock: Clock;
  readonly hostName: string;
  /** The address at which other API servers reach this one. */
  readonly address: string;
  readonly newUid: () => string;
}

export class IdentityLease {
  readonly #parts: IdentityLeaseParts;
  readonly #name: string;
  readonly #holder: string;

  constructor(parts: IdentityLeaseParts) {
    this.#parts = parts;
    this.#name = identityOf(parts.hostName);
    this.#holder = `${this.#name}_${parts.newUid()}`;
  }

  /** Another live server on this machine keeps the lease: both have the same name. */
  async renew(): Promise<void> {
    const { objects, clock } = this.#parts;
    const found = await objects.get<Lease>(`${leasesPath}/${this.#name}`);
    if (found === undefined) return objects.create(leasesPath, this.#lease());
    const { holderIdentity, renewTime } = found.spec ?? {};
    const isOthers = holderIdentity !== this.#holder && clock.now() - Date.parse(renewTime ?? '') < aliveMs;
    if (isOthers) return;
    const { metadata, spec } = this.#lease();
    await objects.replace(`${leasesPath}/${this.#name}`, {
      ...found,
      metadata: { ...found.metadata, ...metadata },
      spec,
    });
  }

  async leave(): Promise<void> {
    const { objects } = this.#parts;
    const found = await objects.get<Lease>(`${leasesPath}/${this.#name}`);
    if (found?.spec?.holderIdentity === this.#holder) await objects.remove(`${leasesPath}/${this.#name}`);
  }

  #lease() {
    const { clock, hostName, address } = this.#parts;
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        name: this.#name,
        namespace: 'kube-system',
        labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': hostName },
        annotations: { 'kubernetes.io/peer-advertise-address': address },
      },
      spec: {
        holderIdentity: this.#holder,
        leaseDurationSeconds: leaseSeconds,
        renewTime: new Date(clock.now()).toISOString().replace('Z', '000Z'),
      },
    };
  }
}

/** `apiserver-` and 16 bytes of the host name's SHA-256, in base 32. */
export function identityOf(hostName: string): string {
  const digits = 'abcdefghijklmnopqrstuvwxyz234567';
  const bits = Array.from(createHash('sha256').update(hostName).digest().subarray(0, 16), (byte) =>
    byte.toString(2).padStart(8, '0'),
  ).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return `apiserver-${groups.map((group) => digits[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')}`;
}
