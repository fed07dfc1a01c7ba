/** Releases claims: first the reservations of finished pods, then the allocation, then generated claims. */

import { isStatusError } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Lister, ResourceClient } from '@coxswain/client';
import type { ControllerContext } from '../controller.ts';
import { resources, type Pod, type ResourceClaim } from '../objects.ts';
import { controllerOf } from '../owners.ts';
import { isDone } from './claims-of-pods.ts';

/** Marks that the cluster made the allocation and must deallocate it. */
const finalizer = 'resource.kubernetes.io/delete-protection';
/** Pods known to be gone, to save requests to the server. */
const gonePodsMax = 500;

type Reservation = NonNullable<NonNullable<ResourceClaim['status']>['reservedFor']>[number];

export class ClaimRelease {
  readonly #context: ControllerContext;
  readonly #pods: Lister<Pod>;
  readonly #gone = new Set<string>();

  constructor(context: ControllerContext, pods: Lister<Pod>) {
    this.#context = context;
    this.#pods = pods;
  }

  podGone(uid: string): void {
    if (this.#gone.size >= gonePodsMax) this.#gone.delete(this.#gone.values().next().value ?? '');
    this.#gone.add(uid);
  }

  async sync(claim: ResourceClaim): Promise<void> {
    const before = claim.status?.reservedFor ?? [];
    const remaining: Reservation[] = [];
    for (const reservation of before) {
      if (await this.#holds(claim.metadata.namespace ?? '', reservation)) remaining.push(reservation);
    }
    const isOwn = claim.metadata.finalizers?.includes(finalizer) ?? false;
    const isGoing = claim.metadata.deletionTimestamp !== undefined;
    if (remaining.length < before.length) await this.#shrink(claim, remaining, isOwn);
    else if (isOwn && isGoing && remaining.length === 0) await this.#shrink(claim, remaining, true);
    if (remaining.length === 0) await this.#deleteUnused(claim);
  }

  async #holds(namespace: string, { apiGroup, resource, name, uid }: Reservation): Promise<boolean> {
    if (apiGroup || resource !== 'pods') return true;
    if (this.#gone.has(uid)) return false;
    const pod = this.#pods.get(name, namespace);
    if (pod !== undefined) return pod.metadata.uid === uid && !isDone(pod);
    try {
      const live = await this.#context.client.resource<Pod>(resources.pods).namespace(namespace).get(name);
      return live.metadata.uid === uid;
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return false;
      throw error;
    }
  }

  async #shrink(claim: ResourceClaim, remaining: readonly Reservation[], isOwn: boolean): Promise<void> {
    const client = this.#client(claim);
    const { reservedFor, allocation, ...rest } = claim.status ?? {};
    const isFree = remaining.length === 0;
    const mustWrite = (reservedFor?.length ?? 0) > remaining.length || (isFree && isOwn && allocation);
    const status = {
      ...rest,
      ...(isFree ? {} : { reservedFor: [...remaining] }),
      ...(allocation && !(isFree && isOwn) ? { allocation } : {}),
    };
    const written = mustWrite ? await client.updateStatus({ ...claim, status }) : claim;
    const { metadata } = written;
    if (!isOwn || !metadata.finalizers?.includes(finalizer) || written.status?.allocation) return;
    const finalizers = metadata.finalizers.filter((one) => one !== finalizer);
    await client.update({ ...written, metadata: { ...metadata, finalizers } });
  }

  /** For generated claims. If the pod is gone, the garbage collector deletes them. */
  async #deleteUnused(claim: ResourceClaim): Promise<void> {
    const owner = controllerOf(claim);
    if (owner?.kind !== 'Pod' || owner.apiVersion !== 'v1') return;
    const pod = this.#pods.get(owner.name, claim.metadata.namespace);
    if (pod === undefined || (pod.metadata.uid === owner.uid && !isDone(pod))) return;
    try {
      await this.#client(claim).delete(claim.metadata.name ?? '');
    } catch (error) {
      if (isStatusError(error, 'NotFound')) return;
      const { namespace, name } = claim.metadata;
      const text = `delete unused generated claim ${namespace}/${name}: ${messageOf(error)}`;
      throw new Error(text, { cause: error });
    }
  }

  #client({ metadata }: ResourceClaim): ResourceClient<ResourceClaim> {
    const { client } = this.#context;
    return client.resource<ResourceClaim>(resources.resourceClaims).namespace(metadata.namespace ?? '');
  }
}
