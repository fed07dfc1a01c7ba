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
  deleteOperation,
  deleteResponse,
  putOperation,
  putResponse,
  transactionOf,
  txnResponse,
} from './operations.ts';
import { piecesOfRange, range } from './range.ts';

export interface KvOptions {
  readonly engine: Engine;
  readonly member: Member;
  readonly operationsMax: number;
}

export function kvService({ engine, member, operationsMax }: KvOptions): Methods {
  const header = (revision?: number) => headerOf(member, engine, revision);
  return {
    '/etcdserverpb.KV/Range': {
      ...unary(RangeRequest, RangeResponse, (request) => range(engine, request, header)),
      mayBeLong: isLongRange,
      pieces: piecesOfRange,
    },

    '/etcdserverpb.KV/Put': unary(PutRequest, PutResponse, async (request) => {
      checkPut(request);
      const { results, revision } = await engine.transact({ success: [putOperation(request)] });
      return putResponse(request, results[0]!, header(revision));
    }),

    '/etcdserverpb.KV/DeleteRange': unary(DeleteRangeRequest, DeleteRangeResponse, async (request) => {
      checkDelete(request);
      const { results, revision } = await engine.transact({ success: [deleteOperation(request)] });
      return deleteResponse(request, results[0]!, header(revision));
    }),

    '/etcdserverpb.KV/Txn': {
      ...unary(TxnRequest, TxnResponse, async (request) => {
        checkTransaction(request, operationsMax);
        const result = await engine.transact(transactionOf(request));
        return txnResponse(request, result, header(result.revision));
      }),
      mayBeLong: hasLongRange,
    },

    '/etcdserverpb.KV/Compact': unary(CompactionRequest, CompactionResponse, async ({ revision }) => {
      await engine.compact(revision);
      return { header: header() };
    }),
  };
}

const isLongRange = ({ rangeEnd }: Decoded<typeof RangeRequest>): boolean => rangeEnd.length > 0;

const hasLongRange = ({ success, failure }: Decoded<typeof TxnRequest>): boolean =>
  [...success, ...failure].some(
    ({ range: inside, txn }) =>
      (inside !== undefined && isLongRange(inside)) || (txn !== undefined && hasLongRange(txn)),
  );
