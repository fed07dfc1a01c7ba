import { etcdError } from '@coxswain/storage/etcd/etcd-errors.ts';
import type {
  DeleteRangeRequest,
  PutRequest,
  RequestOp,
  TxnRequest,
} from '@coxswain/storage/etcd/messages.ts';
import type { Decoded } from '@coxswain/protobuf';
import type { KeyRange } from '@coxswain/storage';
import { asKeyRange, keyOf, rangeOf } from './keys.ts';
import { checkRange } from './range.ts';

/** @throws GrpcError */
export function checkPut(request: Decoded<typeof PutRequest>): void {
  if (request.key.length === 0) throw etcdError('emptyKey');
  if (request.ignoreValue && request.value.length > 0) throw etcdError('valueProvided');
  if (request.ignoreLease && request.lease !== 0n) throw etcdError('leaseProvided');
}

/** @throws GrpcError */
export function checkDelete(request: Decoded<typeof DeleteRangeRequest>): void {
  if (request.key.length === 0) throw etcdError('emptyKey');
}

/**
 * Each level of a transaction may use what the levels above it left of `operationsMax`.
 * @throws GrpcError for too many operations, an invalid one, or two that write the same key
 */
export function checkTransaction(request: Decoded<typeof TxnRequest>, operationsMax: number): void {
  checkOperations(request, operationsMax);
  writesOf(request.success);
  writesOf(request.failure);
}

function checkOperations(
  { compare, success, failure }: Decoded<typeof TxnRequest>,
  operationsMax: number,
): void {
  const most = Math.max(compare.length, success.length, failure.length);
  if (most > operationsMax) throw etcdError('tooManyOperations');
  for (const { key } of compare) if (key.length === 0) throw etcdError('emptyKey');
  for (const operations of [success, failure])
    for (const operation of operations) checkOperation(operation, operationsMax - most);
}

function checkOperation(
  { range, put, deleteRange, txn }: Decoded<typeof RequestOp>,
  operationsMax: number,
): void {
  if (range !== undefined) checkRange(range);
  else if (put !== undefined) checkPut(put);
  else if (deleteRange !== undefined) checkDelete(deleteRange);
  else if (txn !== undefined) checkOperations(txn, operationsMax);
  else throw etcdError('keyNotFound');
}

interface Writes {
  readonly puts: Set<string>;
  /** Disjoint ranges in ascending order. */
  readonly deletes: readonly KeyRange[];
}

/**
 * What one branch of a transaction writes. Of a nested transaction both branches count, but they do not conflict with
 * each other.
 */
function writesOf(operations: readonly Decoded<typeof RequestOp>[]): Writes {
  const puts = new Set<string>();
  const deletes: KeyRange[] = [];
  for (const { put, deleteRange, txn } of operations) {
    if (put !== undefined) addPut(puts, keyOf(put.key));
    if (deleteRange !== undefined) deletes.push(asKeyRange(rangeOf(deleteRange.key, deleteRange.rangeEnd)));
    if (txn === undefined) continue;
    const sides = [writesOf(txn.success), writesOf(txn.failure)] as const;
    for (const key of new Set([...sides[0].puts, ...sides[1].puts])) addPut(puts, key);
    for (const side of sides) for (const range of side.deletes) deletes.push(range);
  }
  const merged = mergedRanges(deletes);
  for (const key of puts) if (covers(merged, key)) throw etcdError('duplicateKey');
  return { puts, deletes: merged };
}

function addPut(puts: Set<string>, key: string): void {
  if (puts.has(key)) throw etcdError('duplicateKey');
  puts.add(key);
}

function mergedRanges(ranges: readonly KeyRange[]): readonly KeyRange[] {
  const merged: KeyRange[] = [];
  for (const range of ranges.toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0))) {
    const last = merged.at(-1);
    if (last === undefined || range.start > last.end) merged.push(range);
    else if (range.end > last.end) merged[merged.length - 1] = { start: last.start, end: range.end };
  }
  return merged;
}

/** Divide and conquer, since a transaction may have tens of thousands of both. */
function covers(ranges: readonly KeyRange[], key: string): boolean {
  let from = 0;
  for (let to = ranges.length; from < to;) {
    const middle = (from + to) >> 1;
    if (ranges[middle]!.end <= key) from = middle + 1;
    else to = middle;
  }
  return from < ranges.length && ranges[from]!.start <= key;
}
