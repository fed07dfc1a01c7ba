/** etcd's errors, by number and with its messages. */
import { GrpcError, grpcCodes } from '@coxswain/grpc/status.ts';

const {
  invalidArgument,
  outOfRange,
  notFound,
  permissionDenied,
  failedPrecondition,
  resourceExhausted,
  unauthenticated,
  unavailable,
  unknown,
} = grpcCodes;

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
  noRootRole: [failedPrecondition, 'etcdserver: root user does not have root role'],
  userExists: [failedPrecondition, 'etcdserver: user name already exists'],
  userEmpty: [invalidArgument, 'etcdserver: user name is empty'],
  userNotFound: [failedPrecondition, 'etcdserver: user name not found'],
  roleExists: [failedPrecondition, 'etcdserver: role name already exists'],
  roleNotFound: [failedPrecondition, 'etcdserver: role name not found'],
  roleEmpty: [invalidArgument, 'etcdserver: role name is empty'],
  roleNotGranted: [failedPrecondition, 'etcdserver: role is not granted to the user'],
  permissionNotGiven: [invalidArgument, 'etcdserver: permission not given'],
  permissionNotGranted: [failedPrecondition, 'etcdserver: permission is not granted to the role'],
  permissionDenied: [permissionDenied, 'etcdserver: permission denied'],
  authFailed: [invalidArgument, 'etcdserver: authentication failed, invalid user ID or password'],
  invalidAuthToken: [unauthenticated, 'etcdserver: invalid auth token'],
  invalidAuthManagement: [invalidArgument, 'etcdserver: invalid auth management'],
  memberNotEnoughStarted: [unknown, 'etcdserver: re-configuration failed due to not enough started members'],
  memberNotFound: [notFound, 'etcdserver: member not found'],
  memberNotLearner: [failedPrecondition, 'etcdserver: can only promote a learner member'],
  memberBadUrls: [invalidArgument, 'etcdserver: given member URLs are invalid'],
  peerUrlExists: [failedPrecondition, 'etcdserver: Peer URLs already exists'],
  wrongDowngradeVersion: [invalidArgument, 'etcdserver: wrong downgrade target version format'],
  invalidDowngradeTarget: [invalidArgument, 'etcdserver: invalid downgrade target version'],
  noDowngrade: [failedPrecondition, 'etcdserver: no inflight downgrade job'],
  unhealthy: [unavailable, 'etcdserver: unhealthy cluster'],
  authNotEnabled: [failedPrecondition, 'etcdserver: authentication is not enabled'],
  badTransferee: [failedPrecondition, 'etcdserver: bad leader transferee'],
  noLeader: [unavailable, 'etcdserver: no leader'],
  stopped: [unavailable, 'etcdserver: server stopped'],
} as const satisfies Record<string, readonly [number, string]>;

export function etcdError(name: keyof typeof etcdErrors): GrpcError {
  const [code, message] = etcdErrors[name];
  return new GrpcError(code, message);
}
