import { StorageError, type Entry, type Revision } from '../storage.ts';
import type { Engine, Operation } from './engine.ts';

const everything = { start: '', end: '\u{10ffff}' };

/** Others may write meanwhile: their changes are reverted in a further round. */
const roundsMax = 10;

/**
 * Restores the value of every key at `revision` by new revisions, which watches see as ordinary events. The cost
 * depends on what was written since, not on the store's size. Expired leases are left out.
 * @returns the number of restored keys
 * @throws StorageError 'compacted' when that revision is no longer known
 */
export async function rewind(engine: Engine, revision: Revision): Promise<number> {
  let count = 0;
  for (let round = 0; round < roundsMax; round++) {
    const operations = operationsBack(engine, revision);
    if (operations.length === 0) return count;
    await engine.transact({ success: operations });
    count += operations.length;
  }
  throw new StorageError('unavailable', `the store is written to faster than it can be put back`);
}

function operationsBack(engine: Engine, revision: Revision): Operation[] {
  const then = new Map<string, Entry | undefined>();
  for (const { events } of engine.history(everything, revision)) {
    for (const { entry, previous } of events) if (!then.has(entry.key)) then.set(entry.key, previous);
  }
  return [...then].flatMap(([key, before]): Operation[] => {
    const now = engine.latest(key);
    if (before === undefined) return now === undefined ? [] : [{ kind: 'delete', range: { key } }];
    if (now !== undefined && isSame(now.value, before.value)) return [];
    const { value, leaseId } = before;
    const hasLease = leaseId !== undefined && engine.leases.get(leaseId) !== undefined;
    return [{ kind: 'put', key, value, ...(hasLease && { leaseId }) }];
  });
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);
