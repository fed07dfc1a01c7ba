/** The status of a call: a code and a message. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';

export const grpcCodes = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

export class GrpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'GrpcError';
    this.code = code;
  }
}

export const isGrpcFailure = (failure: unknown, code: keyof typeof grpcCodes): boolean =>
  failure instanceof GrpcError && failure.code === grpcCodes[code];

/** Go's names of the codes, as used in metrics and messages, by number. */
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

/** `unknown-non-grpc` if it is not an error of gRPC. */
export const grpcCodeName = (failure: unknown): string =>
  failure instanceof GrpcError
    ? (grpcCodeNames[failure.code] ?? `Code(${failure.code})`)
    : 'unknown-non-grpc';

/** Go's text of a failed call, `rpc error: code = NotFound desc = …`; any other error is left as it is. */
export const grpcFailureText = (failure: unknown): string =>
  failure instanceof GrpcError
    ? `rpc error: code = ${grpcCodeName(failure)} desc = ${failure.message}`
    : messageOf(failure);

/** The encoding of the header `grpc-message`: UTF-8 bytes outside printable ASCII and `%` are percent-encoded. */
export const escapedMessage = (message: string): string =>
  [...new TextEncoder().encode(message)]
    .map((byte) =>
      byte >= 0x20 && byte < 0x7f && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');

/** Text with invalid escapes is left as it is. */
export function unescapedMessage(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
