/**
 * The algorithm behind etcd's locks and elections: each participant puts a key of its own below a common prefix,
 * attached to a lease. The owner of the oldest key holds the lock or is the leader.
 */
import type { Engine, Entry, KeyRange } from '@coxswain/storage';
import { GrpcError, grpcCodes } from '@coxswain/grpc/status.ts';
import { newLeaseId } from '../lease-service.ts';

/** The lifetime of the lease that is granted to a participant without one. */
const ttlSecondsDefault = 60;
const noBytes = new Uint8Array(0);

/** Puts the participant's key unless it exists, and returns the stored entry. */
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

/** Resolves when `own` is the oldest key. Rejects if its lease has ended; if `signal` aborts, removes the key. */
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

/** The first key of the queue. */
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
    // Past events may be delivered before `subscribe` returns.
    let subscription: { cancel(): void } | undefined = undefined;
    subscription = engine.subscribe(range, revision, { onEvents: done, onEnd: reject });
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}

/** The character after `/` is `0`. */
export const queueOf = (name: string): KeyRange => ({ start: `${name}/`, end: `${name}0` });

async function grantLease(engine: Engine): Promise<bigint> {
  return (await engine.leases.grant(newLeaseId(), ttlSecondsDefault)).id;
}
