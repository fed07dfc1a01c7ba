/**
 * The recipe behind etcd's locks and elections: everybody puts a key of their own under one prefix, on a lease,
 * and whoever has the oldest key holds the lock, or leads.
 */
import type { Engine, Entry, KeyRange } from '@coxswain/storage';
import { GrpcError, grpcCodes } from '@coxswain/grpc/status.ts';
import { newLeaseId } from '../lease-service.ts';

/** Of the lease that is granted to who brings none. */
const ttlSecondsDefault = 60;
const noBytes = new Uint8Array(0);

/** Puts the key that stands in the queue, unless it stands there already. Returns it as it stands. */
export async function join(
  engine: Engine,
  name: string,
  wantedLeaseId: bigint,
  value: Uint8Array = noBytes,
): Promise<Entry> {
  const leaseId = wantedLeaseId === 0n ? await grantLease(engine) : wantedLeaseId;
  const key = `${name}/${BigInt.asUintN(64, leaseId).toString(16)}`;
  const { results } = await engine.transact({
    compares: [{ range: { key }, relation: 'equal', target: { field: 'createRevision', value: 0 } }],
    success: [{ kind: 'put', key, value: Uint8Array.from(value), leaseId }],
    failure: [{ kind: 'range', range: { key } }],
  });
  const [result] = results;
  if (result?.kind === 'put') return result.entry;
  return (result as Extract<typeof result, { readonly kind: 'range' }>).entries[0]!;
}

/**
 * Resolves when `own` is the oldest in the queue. Rejects when its lease has ended; when `signal` aborts, it
 * leaves the queue.
 */
export async function becomeFirst(
  engine: Engine,
  name: string,
  own: Entry,
  signal: AbortSignal,
): Promise<void> {
  const range = queueOf(name);
  for (;;) {
    const waiting = engine.range(range);
    const isFirst = waiting.entries.every(({ createRevision }) => createRevision >= own.createRevision);
    if (!waiting.entries.some(({ createRevision }) => createRevision === own.createRevision))
      throw new GrpcError(grpcCodes.unknown, 'mutex: session is expired');
    if (isFirst) return;
    await changeAfter(engine, range, waiting.revision, signal);
    if (!signal.aborted) continue;
    await engine.transact({ success: [{ kind: 'delete', range: { key: own.key } }] });
    throw new GrpcError(grpcCodes.cancelled, 'context canceled');
  }
}

/** The one who stands first. */
export const firstOf = (engine: Engine, name: string): Entry | undefined =>
  engine.range(queueOf(name)).entries.toSorted((a, b) => a.createRevision - b.createRevision)[0];

/** Resolves after the next change in `range`, or when `signal` aborts. */
export function changeAfter(
  engine: Engine,
  range: KeyRange,
  revision: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      subscription?.cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    // The past may be told before `subscribe` returns.
    let subscription: { cancel(): void } | undefined = undefined;
    subscription = engine.subscribe(range, revision, { onEvents: done, onEnd: reject });
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}

/** `/` is followed by `0`. */
export const queueOf = (name: string): KeyRange => ({ start: `${name}/`, end: `${name}0` });

async function grantLease(engine: Engine): Promise<bigint> {
  return (await engine.leases.grant(newLeaseId(), ttlSecondsDefault)).id;
}
