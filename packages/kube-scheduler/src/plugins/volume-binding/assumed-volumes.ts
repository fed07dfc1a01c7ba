/**
 * What pods whose binding is in progress have reserved: volumes for their claims, and nodes for claims with dynamic
 * provisioning. Reservations last until the cache reflects them, or the pod gives up.
 */
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';

interface Assumption {
  readonly podUid: string;
  readonly value: string;
  /** The resourceVersion of the written object. */
  version?: number;
}

type Versioned = PersistentVolume | PersistentVolumeClaim;

export class AssumedVolumes {
  readonly #claimOf = new Map<string, Assumption>();
  readonly #nodeOf = new Map<string, Assumption>();

  takeVolume(podUid: string, volume: PersistentVolume, claim: PersistentVolumeClaim): void {
    take(this.#claimOf, nameOf(volume), { podUid, value: claimKey(claim) });
  }

  takeNode(podUid: string, claim: PersistentVolumeClaim, nodeName: string): void {
    take(this.#nodeOf, claimKey(claim), { podUid, value: nodeName });
  }

  volumeWritten(volume: PersistentVolume): void {
    written(this.#claimOf.get(nameOf(volume)), volume);
  }

  claimWritten(claim: PersistentVolumeClaim): void {
    written(this.#nodeOf.get(claimKey(claim)), claim);
  }

  /** The claim that the volume is reserved for, in addition to the volume's own claimRef. */
  claimOf(volume: PersistentVolume): string | undefined {
    return current(this.#claimOf, nameOf(volume), volume);
  }

  nodeOf(claim: PersistentVolumeClaim): string | undefined {
    return current(this.#nodeOf, claimKey(claim), claim);
  }

  /** Drops reservations that the cache reflects: volumes by name, claims by key. */
  prune(cachedVolume: (name: string) => Versioned | undefined, cachedClaim: typeof cachedVolume): void {
    for (const [assumptions, cached] of [
      [this.#claimOf, cachedVolume],
      [this.#nodeOf, cachedClaim],
    ] as const)
      for (const [key, { version }] of assumptions) {
        const object = cached(key);
        if (version !== undefined && (object === undefined || versionOf(object) >= version))
          assumptions.delete(key);
      }
  }

  /** Releases what the pod reserved but did not write. */
  giveUp(podUid: string): void {
    for (const assumptions of [this.#claimOf, this.#nodeOf])
      for (const [key, assumption] of assumptions)
        if (assumption.podUid === podUid && assumption.version === undefined) assumptions.delete(key);
  }
}

export const claimKey = ({ metadata }: PersistentVolumeClaim): string =>
  `${metadata?.namespace}/${metadata?.name}`;

const nameOf = ({ metadata }: PersistentVolume): string => metadata?.name ?? '';

const versionOf = ({ metadata }: Versioned): number => Number(metadata?.resourceVersion ?? 0);

/** Another pod with the same claim may have been first. */
function take(assumptions: Map<string, Assumption>, key: string, assumption: Assumption): void {
  if (!assumptions.has(key)) assumptions.set(key, assumption);
}

function written(assumption: Assumption | undefined, object: Versioned): void {
  if (assumption !== undefined) assumption.version = versionOf(object);
}

function current(assumptions: Map<string, Assumption>, key: string, cached: Versioned): string | undefined {
  const assumption = assumptions.get(key);
  if (assumption?.version === undefined || versionOf(cached) < assumption.version) return assumption?.value;
  assumptions.delete(key);
  return undefined;
}
