/** A write that changes nothing but the times in managedFields is ignored. */

import { deepEqual } from '../strategic-merge/values.ts';
import type { ManagedFieldsEntry } from './managers.ts';

interface Managed {
  readonly metadata: { readonly managedFields?: readonly ManagedFieldsEntry[] };
}

/** `next` with the times of `old` if everything else is the same. */
export function withUnchangedTimes<T extends Managed>(old: T, next: T): T {
  const [before, after] = [old.metadata.managedFields ?? [], next.metadata.managedFields ?? []];
  if (after.length === 0 || before.length !== after.length) return next;
  if (after.every(({ time }, index) => time === before[index]!.time)) return next;
  if (!deepEqual(before.map(withoutTime), after.map(withoutTime))) return next;
  const reverted = { ...next, metadata: { ...next.metadata, managedFields: before } };
  return deepEqual(old, reverted) ? reverted : next;
}

const withoutTime = ({ time: _time, ...entry }: ManagedFieldsEntry): ManagedFieldsEntry => entry;
