/** Recreates the objects of a backup in a cluster. Objects that already exist are left unchanged. */
import { isStatusError, type Clock, type KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { KubeClient, ResourceClient } from '@coxswain/client';
import type { BackedUp } from './backup-file.ts';
import { cleaned, withoutAllocations } from './cleaned.ts';

export interface RestoreOutcome {
  readonly restored: number;
  /** The number of objects that already existed. */
  readonly found: number;
  /** What was changed on the way, or refused: `services/default/web: …` */
  readonly notes: readonly string[];
  readonly failures: readonly string[];
}

/** A kind is served within moments of its definition being created. */
const servedMsMax = 30_000;
const retryMs = 250;

export class Restorer {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  /** The uids in the backup, mapped to those that the restored objects have now. */
  readonly #uids = new Map<string, string>();
  readonly #waiting: BackedUp[] = [];
  readonly #notes: string[] = [];
  readonly #failures: string[] = [];
  #restored = 0;
  #found = 0;

  constructor(client: KubeClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** @param objects in the order of `inOrder` */
  async restore(objects: AsyncIterable<BackedUp>, signal: AbortSignal): Promise<RestoreOutcome> {
    for await (const each of objects) {
      signal.throwIfAborted();
      // An object whose owner comes later waits for it.
      if (this.#isOrphan(each.object)) this.#waiting.push(each);
      else await this.#restoreOne(each);
    }
    for (const each of ownersFirst(this.#waiting)) {
      signal.throwIfAborted();
      await this.#restoreOne(each);
    }
    return { restored: this.#restored, found: this.#found, notes: this.#notes, failures: this.#failures };
  }

  #isOrphan({ metadata }: KubeObject): boolean {
    return metadata.ownerReferences?.some(({ uid }) => !this.#uids.has(uid)) === true;
  }

  async #restoreOne({ resource, object }: BackedUp): Promise<void> {
    const { name = '', namespace, uid = '' } = object.metadata;
    const title = [resource.resource, namespace, name].filter(Boolean).join('/');
    const all = this.#client.resource(resource);
    const place = namespace === undefined ? all : all.namespace(namespace);
    const wanted = this.#withOwners(cleaned(object, resource), title);
    const found = () => place.get(name).catch(() => undefined);
    try {
      const made = await this.#made(place, wanted, title);
      this.#uids.set(uid, made.metadata.uid ?? '');
      this.#restored++;
    } catch (error) {
      // Quotas, policies and allocators also refuse objects that already exist.
      const there = await found();
      if (there === undefined) return void this.#failures.push(`${title}: ${messageOf(error)}`);
      this.#uids.set(uid, there.metadata.uid ?? '');
      this.#found++;
    }
  }

  /** References to owners that the cluster lacks would get the object garbage-collected. */
  #withOwners(object: KubeObject, title: string): KubeObject {
    const { ownerReferences, ...metadata } = object.metadata;
    if (ownerReferences === undefined) return object;
    const known = ownerReferences.flatMap((owner) => {
      const uid = this.#uids.get(owner.uid);
      if (uid !== undefined) return [{ ...owner, uid }];
      this.#notes.push(`${title}: its owner ${owner.kind} ${owner.name} is not in the backup`);
      return [];
    });
    return { ...object, metadata: { ...metadata, ...(known.length > 0 && { ownerReferences: known }) } };
  }

  async #made(place: ResourceClient<KubeObject>, object: KubeObject, title: string): Promise<KubeObject> {
    try {
      return await this.#createdWhenServed(place, object);
    } catch (error) {
      const { kind, metadata } = object;
      if (kind !== 'Service' || !isStatusError(error, 'Invalid')) throw error;
      if (await place.get(metadata.name ?? '').catch(() => undefined)) throw error;
      const made = await place.create(withoutAllocations(object));
      this.#notes.push(`${title}: with another address or port, since ${messageOf(error)}`);
      return made;
    }
  }

  async #createdWhenServed(place: ResourceClient<KubeObject>, object: KubeObject): Promise<KubeObject> {
    const endMs = this.#clock.monotonic() + servedMsMax;
    for (;;) {
      try {
        return await place.create(object);
      } catch (error) {
        if (!isStatusError(error, 'NotFound') || this.#clock.monotonic() >= endMs) throw error;
      }
      await this.#clock.sleep(retryMs);
    }
  }
}

/** Puts owners before their dependents; the remaining objects have no owner among them. */
function ownersFirst(objects: readonly BackedUp[]): readonly BackedUp[] {
  const byUid = new Map(objects.map((each) => [each.object.metadata.uid, each]));
  const sorted = new Set<BackedUp>();
  const begun = new Set<BackedUp>();
  const add = (each: BackedUp): void => {
    if (begun.has(each)) return;
    begun.add(each);
    for (const { uid } of each.object.metadata.ownerReferences ?? []) {
      const owner = byUid.get(uid);
      if (owner !== undefined) add(owner);
    }
    sorted.add(each);
  };
  for (const each of objects) add(each);
  return [...sorted];
}
