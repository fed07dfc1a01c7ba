/** Converts requests to operations of the engine, and its results to responses. */
import { mustBeReadableAtOnce } from '@coxswain/storage/engine/evaluate.ts';
import type {
  Engine,
  Operation,
  OperationResult,
  PutOperation,
  Transaction,
  TransactionResult,
  Compare,
  CompareTarget,
} from '@coxswain/storage';
import { etcdError } from '@coxswain/storage/etcd/etcd-errors.ts';
import {
  compareResults,
  compareTargets,
  type CompareMessage,
  type DeleteRangeRequest,
  type DeleteRangeResponse,
  type PutRequest,
  type PutResponse,
  type RequestOp,
  type ResponseOp,
  type TxnRequest,
  type TxnResponse,
} from '@coxswain/storage/etcd/messages.ts';
import type { Steps } from '@coxswain/apimachinery/work-in-steps.ts';
import type { Decoded, Input } from '@coxswain/protobuf';
import type { Header } from '../member.ts';
import { keyOf, keyValueOf, rangeOf } from './keys.ts';
import { range, rangeOptions, shapeRange } from './range.ts';

type Request = Decoded<typeof RequestOp>;
type Txn = Decoded<typeof TxnRequest>;

export function putOperation(request: Decoded<typeof PutRequest>): PutOperation {
  const key = keyOf(request.key);
  // Copied, since the bytes of the request are a view of the received data. Small copies share a buffer.
  const value = request.ignoreValue ? undefined : Buffer.from(request.value);
  const leaseId = request.ignoreLease ? 'keep' : request.lease === 0n ? undefined : request.lease;
  return { kind: 'put', key, value, leaseId };
}

export const deleteOperation = (request: Decoded<typeof DeleteRangeRequest>): Operation => ({
  kind: 'delete',
  range: rangeOf(request.key, request.rangeEnd),
});

const transactionOf = (request: Txn): Transaction => ({
  compares: request.compare.map(compareOf),
  success: request.success.map(operationOf),
  failure: request.failure.map(operationOf),
});

function operationOf(request: Request): Operation {
  if (request.put !== undefined) return putOperation(request.put);
  if (request.deleteRange !== undefined) return deleteOperation(request.deleteRange);
  if (request.txn !== undefined) return { kind: 'transaction', transaction: transactionOf(request.txn) };
  // Invalid operations were rejected by `checkTransaction`.
  const { range } = request;
  return { kind: 'range', range: rangeOf(range!.key, range!.rangeEnd), options: rangeOptions(range!) };
}

const relations = {
  [compareResults.equal]: 'equal',
  [compareResults.greater]: 'greater',
  [compareResults.less]: 'less',
  [compareResults.notEqual]: 'not-equal',
} as const;

function compareOf(request: Decoded<typeof CompareMessage>): Compare {
  const relation = relations[request.result as keyof typeof relations] ?? 'equal';
  return { range: rangeOf(request.key, request.rangeEnd), relation, target: targetOf(request) };
}

function targetOf(request: Decoded<typeof CompareMessage>): CompareTarget {
  switch (request.target) {
    case compareTargets.version:
      return { field: 'version', value: request.version };
    case compareTargets.create:
      return { field: 'createRevision', value: request.createRevision };
    case compareTargets.mod:
      return { field: 'modRevision', value: request.modRevision };
    case compareTargets.value:
      return { field: 'value', value: request.value };
    case compareTargets.lease:
      return { field: 'lease', value: request.lease };
    default:
      throw etcdError('invalidSort');
  }
}

export function putResponse(
  request: Decoded<typeof PutRequest>,
  result: OperationResult,
  header: Header,
): Input<typeof PutResponse> {
  const previous = result.kind === 'put' && request.prevKv ? result.previous : undefined;
  return { header, prevKv: previous && keyValueOf(previous) };
}

export function deleteResponse(
  request: Decoded<typeof DeleteRangeRequest>,
  result: OperationResult,
  header: Header,
): Input<typeof DeleteRangeResponse> {
  const deleted = result.kind === 'delete' ? result.deleted : [];
  return { header, deleted: deleted.length, prevKvs: request.prevKv ? deleted.map(keyValueOf) : [] };
}

/**
 * A transaction that only reads is decided without its ranges, which are read afterwards at its revision: all of them
 * together may be many times as long as the store.
 */
export function decisionOf(request: Txn): Transaction {
  const transaction = transactionOf(request);
  return isWriting(transaction) ? transaction : withoutRanges(transaction);
}

const isWriting = ({ success = [], failure = [] }: Transaction): boolean =>
  [...success, ...failure].some((operation) =>
    operation.kind === 'transaction' ? isWriting(operation.transaction) : operation.kind !== 'range',
  );

const withoutRanges = ({ compares, success = [], failure = [] }: Transaction): Transaction => ({
  compares,
  success: success.map(unread),
  failure: failure.map(unread),
});

const unread = (operation: Operation): Operation => ({
  kind: 'transaction',
  transaction: operation.kind === 'transaction' ? withoutRanges(operation.transaction) : { success: [] },
});

/** What the ranges of a transaction have read so far. */
interface Reads {
  bytes: number;
}

/** Responses within a transaction have headers with the revision only. */
export function* txnResponse(
  engine: Engine,
  request: Txn,
  result: TransactionResult,
  header: Header,
  reads: Reads = { bytes: 0 },
): Steps<Input<typeof TxnResponse>> {
  const requests = result.succeeded ? request.success : request.failure;
  const inner = { revision: result.revision };
  const responses: Input<typeof ResponseOp>[] = [];
  for (const [index, each] of result.results.entries())
    responses.push(yield* responseOf(engine, requests[index]!, each, inner, reads));
  return { header, succeeded: result.succeeded, responses };
}

/** Divides a response at the responses of its operations, see `piecesOfRange`. */
export function* piecesOfTxn({
  responses = [],
  ...rest
}: Input<typeof TxnResponse>): Generator<Input<typeof TxnResponse>> {
  yield rest;
  for (const response of responses) yield { responses: [response] };
}

function* responseOf(
  engine: Engine,
  request: Request,
  result: OperationResult,
  header: { readonly revision: number },
  reads: Reads,
): Steps<Input<typeof ResponseOp>> {
  if (request.put !== undefined) return { put: putResponse(request.put, result, header) };
  if (request.deleteRange !== undefined)
    return { deleteRange: deleteResponse(request.deleteRange, result, header) };
  if (request.txn !== undefined && result.kind === 'transaction') {
    return { txn: yield* txnResponse(engine, request.txn, result.result, header, reads) };
  }
  if (request.range === undefined) return {};
  if (result.kind === 'range') return { range: yield* shapeRange(request.range, result, header) };
  const revision = request.range.revision || header.revision;
  const response = yield* range(engine, { ...request.range, revision }, () => header);
  for (const { key, value } of response.kvs ?? []) reads.bytes += (key?.length ?? 0) + (value?.length ?? 0);
  mustBeReadableAtOnce(reads.bytes);
  return { range: response };
}
