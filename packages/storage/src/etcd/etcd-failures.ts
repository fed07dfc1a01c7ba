import { StorageError, type StorageErrorKind } from '../storage.ts';
import { GrpcError, grpcCodes, grpcFailureText } from '@coxswain/grpc/status.ts';
import { etcdErrors } from './etcd-errors.ts';

const byMessage: ReadonlyMap<string, StorageErrorKind> = new Map([
  [etcdErrors.compacted[1], 'compacted'],
  [etcdErrors.futureRevision[1], 'future-revision'],
  [etcdErrors.tooLarge[1], 'too-large'],
  [etcdErrors.leaseNotFound[1], 'no-lease'],
]);

/** etcd's error as a StorageError; anything else is thrown unchanged. */
export function asStorageFailure(failure: unknown, isClosed: boolean): unknown {
  if (!(failure instanceof GrpcError)) return failure;
  if (isClosed) return new StorageError('closed', 'the store is closed', { cause: failure });
  return new StorageError(kindOf(failure), textOf(failure), { cause: failure });
}

/** Formatted as by upstream's etcd client: errors of etcd itself unchanged, connection errors with their code. */
const textOf = (failure: GrpcError): string =>
  onTheWay.has(failure.code) && !failure.message.startsWith('etcdserver: ')
    ? grpcFailureText(failure)
    : failure.message;

const onTheWay: ReadonlySet<number> = new Set([grpcCodes.unavailable, grpcCodes.resourceExhausted]);

function kindOf({ code, message }: GrpcError): StorageErrorKind {
  const known = byMessage.get(message);
  if (known !== undefined) return known;
  // gRPC itself refuses the size before etcd sees the request.
  if (code === grpcCodes.resourceExhausted && message.includes('larger than max')) return 'too-large';
  return 'unavailable';
}
