/** The codes of gRPC that etcd answers with, and its errors, by number and in its words. */
export const grpcCodes = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
} as const;

export type GrpcCode = (typeof grpcCodes)[keyof typeof grpcCodes];

export class GrpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'GrpcError';
    this.code = code;
  }
}

const { invalidArgument, outOfRange, notFound, failedPrecondition, resourceExhausted, unavailable } =
  grpcCodes;

export const etcdErrors = {
  emptyKey: [invalidArgument, 'etcdserver: key is not provided'],
  keyNotFound: [invalidArgument, 'etcdserver: key not found'],
  valueProvided: [invalidArgument, 'etcdserver: value is provided'],
  leaseProvided: [invalidArgument, 'etcdserver: lease is provided'],
  tooManyOperations: [invalidArgument, 'etcdserver: too many operations in txn request'],
  duplicateKey: [invalidArgument, 'etcdserver: duplicate key given in txn request'],
  invalidSort: [invalidArgument, 'etcdserver: invalid sort option'],
  compacted: [outOfRange, 'etcdserver: mvcc: required revision has been compacted'],
  futureRevision: [outOfRange, 'etcdserver: mvcc: required revision is a future revision'],
  noSpace: [resourceExhausted, 'etcdserver: mvcc: database space exceeded'],
  leaseNotFound: [notFound, 'etcdserver: requested lease not found'],
  leaseExists: [failedPrecondition, 'etcdserver: lease already exists'],
  leaseTtlTooLarge: [outOfRange, 'etcdserver: too large lease TTL'],
  tooLarge: [invalidArgument, 'etcdserver: request is too large'],
  noRootUser: [failedPrecondition, 'etcdserver: root user does not exist'],
  authNotEnabled: [failedPrecondition, 'etcdserver: authentication is not enabled'],
  badTransferee: [failedPrecondition, 'etcdserver: bad leader transferee'],
  stopped: [unavailable, 'etcdserver: server stopped'],
} as const satisfies Record<string, readonly [number, string]>;

export function etcdError(name: keyof typeof etcdErrors): GrpcError {
  const [code, message] = etcdErrors[name];
  return new GrpcError(code, message);
}
