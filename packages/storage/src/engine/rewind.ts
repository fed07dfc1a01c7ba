import { StorageError, type Entry, type Revision } from '../storage.ts';
import type { Engine, Operation } from './engine.ts';

const everything = { start: '', end: '\u{10ffff}' };

/** Others may write meanwhile: what they changed is put back in a further round. */
const roundsMax = 10;

/**
 * Writes what every key held at `revision`, as new revisions that watches see as ordinary events. Costs what
 * was written since, whatever the store holds. A lease that has ended by now is left off.
 * @returns how many keys were put back
 * @throws StorageError 'compacted' when the store no longer knows what it held then
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
