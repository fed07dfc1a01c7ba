/** What the binder's steps share: the known objects, writes to them, and events about them. */

import { isStatusError } from '@coxswain/apimachinery';
import type { EventRecorder, Lister, ResourceClient } from '@coxswain/client';
import type { ControllerContext } from '../controller.ts';
import {
  resources,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type StorageClass,
} from '../objects.ts';
import { isOver } from '../volumes/pod-over.ts';
import { claimIndex } from '../volumes/claims-of-pods.ts';
import { claimBoundTo, claimInPhase, volumeBoundTo, volumeUnbound, type ClaimPhase } from './binding.ts';
import { NewestVersions } from './newest-versions.ts';

export type VolumePhase = 'Available' | 'Bound' | 'Released' | 'Failed';
export type EventType = 'Normal' | 'Warning';

export interface BinderListers {
  readonly classes: Lister<StorageClass>;
  /** Indexed by claim. */
  readonly pods: Lister<Pod>;
}

export class BinderState {
  readonly volumes = new NewestVersions<PersistentVolume>();
  readonly claims = new NewestVersions<PersistentVolumeClaim>();
  readonly listers: BinderListers;
  /** Names of volumes that a pod is scrubbing. */
  readonly recycling = new Set<string>();
  readonly context: ControllerContext;
  readonly #events: EventRecorder;
  readonly #volumeClient: ResourceClient<PersistentVolume>;

  constructor(context: ControllerContext, listers: BinderListers) {
    this.context = context;
    this.listers = listers;
    this.#events = context.events('persistentvolume-controller');
    this.#volumeClient = context.client.resource<PersistentVolume>(resources.persistentVolumes);
  }

  reportVolume(volume: PersistentVolume, type: EventType, reason: string, message: string): void {
    this.#events.event({ ...volume, apiVersion: 'v1', kind: 'PersistentVolume' }, type, reason, message);
  }

  reportClaim(claim: PersistentVolumeClaim, type: EventType, reason: string, message: string): void {
    this.#events.event({ ...claim, apiVersion: 'v1', kind: 'PersistentVolumeClaim' }, type, reason, message);
  }

  async updateVolume(volume: PersistentVolume): Promise<PersistentVolume> {
    const written = await this.#volumeClient.update(volume);
    this.volumes.written(written);
    return written;
  }

  async updateClaim(claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> {
    const written = await this.#claimClient(claim.metadata.namespace ?? '').update(claim);
    this.claims.written(written);
    return written;
  }

  async deleteVolume({ metadata }: PersistentVolume): Promise<void> {
    await this.#volumeClient.delete(metadata.name ?? '');
  }

  /** Returns the server's version; undefined if it is gone. */
  liveVolume(name: string): Promise<PersistentVolume | undefined> {
    return orGone(this.#volumeClient.get(name));
  }

  liveClaim(namespace: string, name: string): Promise<PersistentVolumeClaim | undefined> {
    return orGone(this.#claimClient(namespace).get(name));
  }

  async setVolumePhase(
    volume: PersistentVolume,
    phase: VolumePhase,
    message = '',
  ): Promise<PersistentVolume> {
    if (volume.status?.phase === phase) return volume;
    const { message: _old, ...status } = volume.status ?? {};
    const written = await this.#volumeClient.updateStatus({
      ...volume,
      status: { ...status, phase, ...(message === '' ? {} : { message }) },
    });
    this.volumes.written(written);
    return written;
  }

  /** Records an event, unless the volume is already in that phase. */
  async failVolume(volume: PersistentVolume, reason: string, message: string): Promise<void> {
    if (volume.status?.phase === 'Failed') return;
    const failed = await this.setVolumePhase(volume, 'Failed', message);
    this.reportVolume(failed, 'Warning', reason, message);
  }

  async setClaimPhase(
    claim: PersistentVolumeClaim,
    phase: ClaimPhase,
    volume?: PersistentVolume,
  ): Promise<PersistentVolumeClaim> {
    const changed = claimInPhase(claim, phase, volume);
    if (changed === claim) return claim;
    const written = await this.#claimClient(claim.metadata.namespace ?? '').updateStatus(changed);
    this.claims.written(written);
    return written;
  }

  /** Records an event, unless the claim is already lost. */
  async loseClaim(claim: PersistentVolumeClaim, reason: string, message: string): Promise<void> {
    if (claim.status?.phase === 'Lost') return;
    this.reportClaim(await this.setClaimPhase(claim, 'Lost'), 'Warning', reason, message);
  }

  /** Takes up to four writes, skipping completed ones, since any of them may be the last before a restart. */
  async bind(volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<void> {
    const bound = volumeBoundTo(volume, claim);
    const saved = bound === volume ? volume : await this.updateVolume(bound);
    const inPhase = await this.setVolumePhase(saved, 'Bound');
    const boundClaim = claimBoundTo(claim, inPhase);
    const savedClaim = boundClaim === claim ? claim : await this.updateClaim(boundClaim);
    await this.setClaimPhase(savedClaim, 'Bound', inPhase);
  }

  async unbind(volume: PersistentVolume): Promise<void> {
    await this.setVolumePhase(await this.updateVolume(volumeUnbound(volume)), 'Available');
  }

  /** Returns the pods that use the claim and have not ended. */
  podsOf(namespace: string, name: string): Pod[] {
    const pods = this.listers.pods.byIndex(claimIndex, `${namespace}/${name}`);
    return pods.filter((pod) => !isOver(pod));
  }

  #claimClient(namespace: string): ResourceClient<PersistentVolumeClaim> {
    const { client } = this.context;
    return client.resource<PersistentVolumeClaim>(resources.persistentVolumeClaims).namespace(namespace);
  }
}

async function orGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}
