import { here, runStepInTurn, type Clock } from '@coxswain/apimachinery';
import { fromByteString, toByteString } from '../key-bytes.ts';
import type {
  Change,
  Entry,
  EventBatch,
  KeyRange,
  LeaseId,
  ListOptions,
  LocalStorage,
  Page,
  Revision,
  Subscriber,
  Subscription,
  UpdateOptions,
} from '../storage.ts';
import { batchesOf } from './batch-queue.ts';
import type { Engine, PutOperation } from './engine.ts';
import { LeasePool } from './lease-pool.ts';

/** The five verbs over an in-process engine. Keys are text outside and byte strings inside. */
export class EngineStorage<E extends Engine = Engine> implements LocalStorage {
  /** For what the five verbs leave out: transactions, leases, ranges with all options. */
  readonly engine: E;
  readonly #leases: LeasePool;

  constructor(engine: E, clock: Clock) {
    this.engine = engine;
    this.#leases = new LeasePool(
      clock,
      async (ttlSeconds) => (await engine.leases.grant(newLeaseId(engine), ttlSeconds)).id,
      (id) => engine.leases.get(id) !== undefined,
    );
  }

  get currentRevision(): Revision {
    return this.engine.revision;
  }

  get compactedRevision(): Revision {
    return this.engine.compactedRevision;
  }

  async revision(): Promise<Revision> {
    return this.engine.revision;
  }

  async get(key: string, options?: { readonly revision?: Revision }): Promise<Entry | undefined> {
    const entry = this.engine.get(toByteString(key), options?.revision);
    return entry && outside(entry);
  }

  async list(range: KeyRange, options: ListOptions = {}): Promise<Page> {
    const { entries, count, revision } = this.engine.range(inside(range), options);
    return { entries: entries.map(outside), revision, count, more: count > entries.length };
  }

  async update(
    key: string,
    change: (current: Entry | undefined) => Change | Promise<Change>,
    options: UpdateOptions = {},
  ): Promise<Entry | undefined> {
    const stored = toByteString(key);
    let expected = options.expected;
    for (;;) {
      options.signal?.throwIfAborted();
      const current = this.engine.latest(stored);
      let answer: Change | Promise<Change>;
      let wanted: Change;
      try {
        answer = change(asExpected(current, expected));
        wanted = answer instanceof Promise ? await answer : answer;
      } catch (refusal) {
        await this.#durable(stored, current);
        throw refusal;
      }
      const leasing = this.#leaseFor(wanted);
      const leaseId = leasing && (await leasing);
      // A synchronous decision cannot have been overtaken.
      if (answer instanceof Promise || leasing !== undefined) {
        const newer = this.engine.latest(stored);
        if (newer?.modRevision !== current?.modRevision) {
          expected = undefined;
          continue;
        }
      }
      return await runStepInTurn(
        options.observer,
        here`storage.transact`,
        async () => {
          const written = await this.#carryOut(stored, current, wanted, leaseId);
          if (written !== undefined && wanted.kind !== 'keep')
            options.observer?.wrote?.(written.modRevision, key);
          return written;
        },
        options.observer && { key, change: wanted.kind, ...lifeOf(wanted, leaseId) },
      );
    }
  }

  watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncGenerator<EventBatch, void, void> {
    return batchesOf((subscriber) => this.subscribe(range, after, subscriber), signal);
  }

  subscribe(range: KeyRange, after: Revision, subscriber: Subscriber): Subscription {
    return this.engine.subscribe(inside(range), after, {
      onEvents: (batch) => subscriber.onEvents(outsideBatch(batch)),
      onSnapshot: (snapshot) => subscriber.onSnapshot?.(snapshot),
      onCompaction: (revision) => subscriber.onCompaction?.(revision),
      onEnd: (reason) => subscriber.onEnd(reason),
    });
  }

  async compact(revision: Revision): Promise<void> {
    await this.engine.compact(revision);
  }

  async close(): Promise<void> {
    await this.engine.close();
  }

  /**
   * Waits until readers see `current`: a result based on it that writes nothing must not be ahead of readers, nor
   * depend on a write that a power failure would undo.
   */
  async #durable(key: string, current: Entry | undefined): Promise<void> {
    if (this.engine.get(key)?.modRevision !== current?.modRevision)
      await this.engine.transact({ success: [] });
  }

  async #carryOut(
    key: string,
    current: Entry | undefined,
    change: Change,
    leaseId: LeaseId | undefined,
  ): Promise<Entry | undefined> {
    if (change.kind === 'keep' || (change.kind === 'delete' && current === undefined)) {
      await this.#durable(key, current);
      return current && outside(current);
    }
    if (change.kind === 'delete') {
      const { revision } = await this.engine.transact({ success: [{ kind: 'delete', range: { key } }] });
      return outside({ ...current!, modRevision: revision });
    }
    const put: PutOperation = { kind: 'put', key, value: change.value, leaseId, decoded: change.decoded };
    const { results } = await this.engine.transact({ success: [put] });
    const result = results[0]!;
    return result.kind === 'put' ? outside(result.entry) : undefined;
  }

  #leaseFor(change: Change): Promise<LeaseId> | undefined {
    if (change.kind !== 'put' || change.ttlSeconds === undefined) return undefined;
    return this.#leases.leaseFor(change.ttlSeconds);
  }
}

/** For recordings: the key is deleted when its lease expires. */
const lifeOf = (change: Change, lease: LeaseId | undefined) =>
  lease !== undefined && change.kind === 'put' && { ttlSeconds: change.ttlSeconds, lease };

/** The caller's own copy of the entry if it is still current, since it may carry the decoded object. */
function asExpected(current: Entry | undefined, expected: Entry | undefined): Entry | undefined {
  return current !== undefined && current.modRevision === expected?.modRevision
    ? { ...outside(current), decoded: expected.decoded }
    : current && outside(current);
}

function inside({ start, end }: KeyRange): KeyRange {
  return { start: toByteString(start), end: toByteString(end) };
}

function outside(entry: Entry): Entry {
  const key = fromByteString(entry.key);
  return key === entry.key ? entry : { ...entry, key };
}

function outsideBatch(batch: EventBatch): EventBatch {
  if (batch.events.every(({ entry }) => outside(entry) === entry)) return batch;
  const events = batch.events.map(({ type, entry, previous }) => ({
    type,
    entry: outside(entry),
    ...(previous && { previous: outside(previous) }),
  }));
  return { revision: batch.revision, events };
}

/** Unused lease ids; etcd's clients expect positive 63-bit numbers. */
function newLeaseId(engine: Engine): LeaseId {
  let id = BigInt(engine.revision) << 16n;
  do id++;
  while (engine.leases.get(id) !== undefined);
  return id;
}
