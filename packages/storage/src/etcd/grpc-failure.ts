/** How Go's gRPC tells of a call that failed; metrics and messages quote it. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { GrpcError } from './grpc-status.ts';

/** By number. */
export const grpcCodeNames = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
] as const;

/** `unknown-non-grpc` for what is no answer of gRPC. */
export const grpcCodeName = (failure: unknown): string =>
  failure instanceof GrpcError
    ? (grpcCodeNames[failure.code] ?? `Code(${failure.code})`)
    : 'unknown-non-grpc';

export const grpcFailureText = (failure: unknown): string =>
  failure instanceof GrpcError
    ? `rpc error: code = ${grpcCodeName(failure)} desc = ${failure.message}`
    : messageOf(failure);
