import { etcdError } from '@coxswain/storage/etcd/grpc-status.ts';
import type {
  DeleteRangeRequest,
  PutRequest,
  RequestOp,
  TxnRequest,
} from '@coxswain/storage/etcd/messages.ts';
import type { Decoded } from '@coxswain/storage/etcd/wire.ts';
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

/** @throws GrpcError for too many operations, a bad one, or two that write the same key */
export function checkTransaction(request: Decoded<typeof TxnRequest>, operationsMax: number): void {
  const counts = [request.compare.length, request.success.length, request.failure.length];
  if (Math.max(...counts) > operationsMax) throw etcdError('tooManyOperations');
  for (const { key } of request.compare) if (key.length === 0) throw etcdError('emptyKey');
  for (const operation of [...request.success, ...request.failure]) checkOperation(operation, operationsMax);
  writesOf(request.success);
  writesOf(request.failure);
}

function checkOperation(
  { range, put, deleteRange, txn }: Decoded<typeof RequestOp>,
  operationsMax: number,
): void {
  if (range !== undefined) checkRange(range);
  else if (put !== undefined) checkPut(put);
  else if (deleteRange !== undefined) checkDelete(deleteRange);
  else if (txn !== undefined) checkTransaction(txn, operationsMax);
  else throw etcdError('keyNotFound');
}

interface Writes {
  readonly puts: Set<string>;
  readonly deletes: KeyRange[];
}

/** What one side of a transaction writes. Of a nested one, both sides count, but not against each other. */
function writesOf(operations: readonly Decoded<typeof RequestOp>[]): Writes {
  const all: Writes = { puts: new Set(), deletes: [] };
  for (const { put, deleteRange, txn } of operations) {
    if (put !== undefined) addPut(all, keyOf(put.key));
    if (deleteRange !== undefined)
      all.deletes.push(asKeyRange(rangeOf(deleteRange.key, deleteRange.rangeEnd)));
    if (txn === undefined) continue;
    const sides = [writesOf(txn.success), writesOf(txn.failure)];
    for (const key of new Set(sides.flatMap(({ puts }) => [...puts]))) addPut(all, key);
    all.deletes.push(...sides.flatMap(({ deletes }) => deletes));
  }
  for (const key of all.puts) {
    if (all.deletes.some(({ start, end }) => key >= start && key < end)) throw etcdError('duplicateKey');
  }
  return all;
}

function addPut({ puts }: Writes, key: string): void {
  if (puts.has(key)) throw etcdError('duplicateKey');
  puts.add(key);
}
