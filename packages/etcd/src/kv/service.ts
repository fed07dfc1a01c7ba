import type { Clock } from '@coxswain/apimachinery';
import { nobody, stepsInSlices } from '@coxswain/apimachinery/slices.ts';
import type { Steps } from '@coxswain/apimachinery/work-in-steps.ts';
import { unary, type Methods } from '@coxswain/grpc/server/method.ts';
import type { Decoded } from '@coxswain/protobuf';
import type { Engine } from '@coxswain/storage';
import {
  CompactionRequest,
  CompactionResponse,
  DeleteRangeRequest,
  DeleteRangeResponse,
  PutRequest,
  PutResponse,
  RangeRequest,
  RangeResponse,
  TxnRequest,
  TxnResponse,
} from '@coxswain/storage/etcd/messages.ts';
import { headerOf, type Member } from '../member.ts';
import { checkDelete, checkPut, checkTransaction } from './check.ts';
import {
  decisionOf,
  deleteOperation,
  deleteResponse,
  piecesOfTxn,
  putOperation,
  putResponse,
  txnResponse,
} from './operations.ts';
import { piecesOfRange, range } from './range.ts';

export interface KvOptions {
  readonly engine: Engine;
  readonly member: Member;
  readonly operationsMax: number;
  readonly clock: Clock;
}

export function kvService({ engine, member, operationsMax, clock }: KvOptions): Methods {
  /** Nobody is named as the owner: long responses are made one by one. */
  const inSteps = <T>(steps: Steps<T>) => stepsInSlices(steps, clock, nobody);
  const header = (revision?: number) => headerOf(member, engine, revision);
  return {
    '/etcdserverpb.KV/Range': {
      ...unary(RangeRequest, RangeResponse, (request) => inSteps(range(engine, request, header))),
      mayBeLong: isLongRange,
      pieces: piecesOfRange,
    },

    '/etcdserverpb.KV/Put': unary(PutRequest, PutResponse, async (request) => {
      checkPut(request);
      const { results, revision } = await engine.transact({ success: [putOperation(request)] });
      return putResponse(request, results[0]!, header(revision));
    }),

    '/etcdserverpb.KV/DeleteRange': {
      ...unary(DeleteRangeRequest, DeleteRangeResponse, async (request) => {
        checkDelete(request);
        const { results, revision } = await engine.transact({ success: [deleteOperation(request)] });
        return deleteResponse(request, results[0]!, header(revision));
      }),
      mayBeLong: isLongRange,
    },

    '/etcdserverpb.KV/Txn': {
      ...unary(TxnRequest, TxnResponse, async (request) => {
        checkTransaction(request, operationsMax);
        const result = await engine.transact(decisionOf(request));
        return inSteps(txnResponse(engine, request, result, header(result.revision)));
      }),
      mayBeLong: readsRanges,
      pieces: piecesOfTxn,
    },

    '/etcdserverpb.KV/Compact': unary(CompactionRequest, CompactionResponse, async ({ revision }) => {
      await engine.compact(revision);
      return { header: header() };
    }),
  };
}

const isLongRange = ({ rangeEnd }: { readonly rangeEnd: Uint8Array }): boolean => rangeEnd.length > 0;

/** What is compared, deleted and read may each be as long as the store. */
const readsRanges = ({ compare, success, failure }: Decoded<typeof TxnRequest>): boolean =>
  compare.some(isLongRange) ||
  [...success, ...failure].some(
    ({ range: inside, deleteRange, txn }) =>
      (inside !== undefined && isLongRange(inside)) ||
      (deleteRange !== undefined && isLongRange(deleteRange)) ||
      (txn !== undefined && readsRanges(txn)),
  );
