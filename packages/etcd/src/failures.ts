import { StorageError, type StorageErrorKind } from '@coxswain/storage';
import { etcdError, type etcdErrors } from '@coxswain/storage/etcd/etcd-errors.ts';
import { GrpcError, grpcCodes } from '@coxswain/grpc/status.ts';

const byKind: Partial<Record<StorageErrorKind, keyof typeof etcdErrors>> = {
  compacted: 'compacted',
  'future-revision': 'futureRevision',
  'too-large': 'tooLarge',
  'no-space': 'noSpace',
  'no-key': 'keyNotFound',
  'no-lease': 'leaseNotFound',
  'lease-exists': 'leaseExists',
  closed: 'stopped',
};

/** Converts a failure of the engine to etcd's error. */
export function asEtcdFailure(failure: unknown): unknown {
  if (!(failure instanceof StorageError)) return failure;
  const name = byKind[failure.kind];
  return name === undefined ? new GrpcError(grpcCodes.unavailable, failure.message) : etcdError(name);
}
