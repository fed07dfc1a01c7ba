/**
 * The volume claims of a StatefulSet's pods: created before the pods, and retained or deleted according to the set's
 * policy.
 */

import {
  aggregateText,
  deepEqual,
  isStatusError,
  type KubeObject,
  type OwnerReference,
} from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Lister, ResourceClient } from '@coxswain/client';
import type { PersistentVolumeClaim, Pod, StatefulSet } from '../objects.ts';
import { controllerReference, type OwnerKind } from '../owners.ts';
import { claimsOf, isInRange, ordinalOf, statefulSetKind } from './ordinals.ts';

const podKind: OwnerKind = { apiVersion: 'v1', kind: 'Pod' };

export interface ClaimOptions {
  readonly set: StatefulSet;
  readonly lister: Lister<PersistentVolumeClaim>;
  readonly client: ResourceClient<PersistentVolumeClaim>;
  /** Called with the claims as written. */
  readonly wrote: (claim: PersistentVolumeClaim) => void;
  readonly report: (type: 'Normal' | 'Warning', reason: string, message: string) => void;
}

export class Claims {
  readonly #options: ClaimOptions;

  constructor(options: ClaimOptions) {
    this.#options = options;
  }

  /** @throws Error listing all claims that could not be created */
  async create(pod: Pod): Promise<void> {
    const errors: string[] = [];
    for (const claim of claimsOf(this.#options.set, ordinalOf(pod)).values()) {
      const existing = this.#find(claim);
      if (existing?.metadata.deletionTimestamp !== undefined)
        errors.push(`pvc ${claim.metadata.name} is being deleted`);
      if (existing === undefined) await this.#createOne(pod, claim, errors);
    }
    if (errors.length > 0) throw new Error(aggregateText(errors));
  }

  async #createOne(pod: Pod, claim: PersistentVolumeClaim, errors: string[]): Promise<void> {
    const { set, client, wrote, report } = this.#options;
    const where = `Claim ${claim.metadata.name} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
    try {
      wrote(await client.create(claim));
      report('Normal', 'SuccessfulCreate', `Create ${where} success`);
    } catch (error) {
      const message = messageOf(error);
      errors.push(`failed to create PVC ${claim.metadata.name}: ${message}`);
      if (isStatusError(error, 'AlreadyExists')) return;
      report(
        'Warning',
        'FailedCreate',
        `Create Claim ${claim.metadata.name} for Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} failed error: ${message}`,
      );
    }
  }

  /** Whether a claim still belongs to a former pod of this name and is about to be deleted. */
  isStale(pod: Pod): boolean {
    if (this.#options.set.spec?.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete') return false;
    return this.#existing(pod).some((claim) =>
      (claim.metadata.ownerReferences ?? []).some(
        (owner) => isAbout(owner, podKind, pod) && owner.uid !== pod.metadata.uid,
      ),
    );
  }

  ownersMatch(pod: Pod): boolean {
    return this.#existing(pod).every((claim) => {
      const wanted = this.#wantedOwners(claim, pod);
      return wanted === undefined || deepEqual(wanted, claim.metadata.ownerReferences ?? []);
    });
  }

  /** Sets who causes a claim's deletion: nothing, the set when it is deleted, or the pod after scaling down. */
  async updateOwners(pod: Pod): Promise<void> {
    for (const claim of this.#existing(pod)) {
      const wanted = this.#wantedOwners(claim, pod);
      if (wanted === undefined || deepEqual(wanted, claim.metadata.ownerReferences ?? [])) continue;
      const { client } = this.#options;
      this.#options.wrote(
        await client.update({ ...claim, metadata: { ...claim.metadata, ownerReferences: wanted } }),
      );
    }
  }

  /** Undefined if another controller is responsible. */
  #wantedOwners(claim: PersistentVolumeClaim, pod: Pod): OwnerReference[] | undefined {
    const { set } = this.#options;
    const owners = claim.metadata.ownerReferences ?? [];
    const isForeign = (owner: OwnerReference) =>
      (isAbout(owner, statefulSetKind, set) && owner.uid !== set.metadata.uid) ||
      (isAbout(owner, podKind, pod) && owner.uid !== pod.metadata.uid);
    if (owners.some(isForeign)) return undefined;
    const others = owners.filter(
      (owner) => !isAbout(owner, statefulSetKind, set) && !isAbout(owner, podKind, pod),
    );
    const { whenDeleted = 'Retain', whenScaled = 'Retain' } =
      set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
    if (whenDeleted === 'Retain' && whenScaled === 'Retain') return others;
    if (others.some((owner) => owner.controller)) return others.length === owners.length ? undefined : others;
    const isScaledAway = !isInRange(set, pod);
    if (whenScaled === 'Delete' && isScaledAway) return [...others, controllerReference(podKind, pod)];
    return whenDeleted === 'Delete' ? [...others, controllerReference(statefulSetKind, set)] : others;
  }

  #existing(pod: Pod): PersistentVolumeClaim[] {
    const wanted = [...claimsOf(this.#options.set, ordinalOf(pod)).values()];
    return wanted.map((claim) => this.#find(claim)).filter((claim) => claim !== undefined);
  }

  #find({ metadata }: PersistentVolumeClaim): PersistentVolumeClaim | undefined {
    return this.#options.lister.get(metadata.name ?? '', metadata.namespace);
  }
}

const isAbout = (owner: OwnerReference, kind: OwnerKind, object: KubeObject): boolean =>
  owner.kind === kind.kind && owner.apiVersion === kind.apiVersion && owner.name === object.metadata.name;
