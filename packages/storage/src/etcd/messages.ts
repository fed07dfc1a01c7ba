/** The messages of etcd's API v3, as tables for `wire.ts`. Field numbers are those of etcd 3.6. */
import { field, repeated, type Field } from '@coxswain/protobuf';

export const ResponseHeader = {
  clusterId: field(1, 'uid'),
  memberId: field(2, 'uid'),
  revision: field(3, 'int64'),
  raftTerm: field(4, 'int64'),
};

const header = field(1, ResponseHeader);
const headerOnly = { header };

export const KeyValue = {
  key: field(1, 'bytes'),
  createRevision: field(2, 'int64'),
  modRevision: field(3, 'int64'),
  version: field(4, 'int64'),
  value: field(5, 'bytes'),
  lease: field(6, 'id'),
};

export const eventTypes = { put: 0, delete: 1 } as const;

export const WatchedEvent = {
  type: field(1, 'enum'),
  kv: field(2, KeyValue),
  prevKv: field(3, KeyValue),
};

export const sortOrders = { none: 0, ascend: 1, descend: 2 } as const;
export const sortTargets = { key: 0, version: 1, create: 2, mod: 3, value: 4 } as const;

export const RangeRequest = {
  key: field(1, 'bytes'),
  rangeEnd: field(2, 'bytes'),
  limit: field(3, 'int64'),
  revision: field(4, 'int64'),
  sortOrder: field(5, 'enum'),
  sortTarget: field(6, 'enum'),
  serializable: field(7, 'bool'),
  keysOnly: field(8, 'bool'),
  countOnly: field(9, 'bool'),
  minModRevision: field(10, 'int64'),
  maxModRevision: field(11, 'int64'),
  minCreateRevision: field(12, 'int64'),
  maxCreateRevision: field(13, 'int64'),
};

export const RangeResponse = {
  header,
  kvs: repeated(2, KeyValue),
  more: field(3, 'bool'),
  count: field(4, 'int64'),
};

export const PutRequest = {
  key: field(1, 'bytes'),
  value: field(2, 'bytes'),
  lease: field(3, 'id'),
  prevKv: field(4, 'bool'),
  ignoreValue: field(5, 'bool'),
  ignoreLease: field(6, 'bool'),
};

export const PutResponse = { header, prevKv: field(2, KeyValue) };

export const DeleteRangeRequest = {
  key: field(1, 'bytes'),
  rangeEnd: field(2, 'bytes'),
  prevKv: field(3, 'bool'),
};

export const DeleteRangeResponse = { header, deleted: field(2, 'int64'), prevKvs: repeated(3, KeyValue) };

export const compareResults = { equal: 0, greater: 1, less: 2, notEqual: 3 } as const;
export const compareTargets = { version: 0, create: 1, mod: 2, value: 3, lease: 4 } as const;

export const CompareMessage = {
  result: field(1, 'enum'),
  target: field(2, 'enum'),
  key: field(3, 'bytes'),
  version: field(4, 'int64'),
  createRevision: field(5, 'int64'),
  modRevision: field(6, 'int64'),
  value: field(7, 'bytes'),
  lease: field(8, 'id'),
  rangeEnd: field(64, 'bytes'),
};

/** Transactions are recursive, so their types have to be written out. */
export type TxnRequestTable = {
  readonly compare: Field<typeof CompareMessage, 'repeated'>;
  readonly success: Field<RequestOpTable, 'repeated'>;
  readonly failure: Field<RequestOpTable, 'repeated'>;
};
export type RequestOpTable = {
  readonly range: Field<typeof RangeRequest, 'single'>;
  readonly put: Field<typeof PutRequest, 'single'>;
  readonly deleteRange: Field<typeof DeleteRangeRequest, 'single'>;
  readonly txn: () => Field<TxnRequestTable, 'single'>;
};
export type TxnResponseTable = {
  readonly header: Field<typeof ResponseHeader, 'single'>;
  readonly succeeded: Field<'bool', 'single'>;
  readonly responses: Field<ResponseOpTable, 'repeated'>;
};
export type ResponseOpTable = {
  readonly range: Field<typeof RangeResponse, 'single'>;
  readonly put: Field<typeof PutResponse, 'single'>;
  readonly deleteRange: Field<typeof DeleteRangeResponse, 'single'>;
  readonly txn: () => Field<TxnResponseTable, 'single'>;
};

export const RequestOp: RequestOpTable = {
  range: field(1, RangeRequest),
  put: field(2, PutRequest),
  deleteRange: field(3, DeleteRangeRequest),
  txn: () => field(4, TxnRequest),
};

export const TxnRequest: TxnRequestTable = {
  compare: repeated(1, CompareMessage),
  success: repeated(2, RequestOp),
  failure: repeated(3, RequestOp),
};

export const ResponseOp: ResponseOpTable = {
  range: field(1, RangeResponse),
  put: field(2, PutResponse),
  deleteRange: field(3, DeleteRangeResponse),
  txn: () => field(4, TxnResponse),
};

export const TxnResponse: TxnResponseTable = {
  header,
  succeeded: field(2, 'bool'),
  responses: repeated(3, ResponseOp),
};

export const CompactionRequest = { revision: field(1, 'int64'), physical: field(2, 'bool') };
export const CompactionResponse = headerOnly;

export const watchFilters = { noPut: 0, noDelete: 1 } as const;

export const WatchCreateRequest = {
  key: field(1, 'bytes'),
  rangeEnd: field(2, 'bytes'),
  startRevision: field(3, 'int64'),
  progressNotify: field(4, 'bool'),
  filters: repeated(5, 'enum'),
  prevKv: field(6, 'bool'),
  watchId: field(7, 'int64'),
  fragment: field(8, 'bool'),
};

export const WatchRequest = {
  create: field(1, WatchCreateRequest),
  cancel: field(2, { watchId: field(1, 'int64') }),
  progress: field(3, {}),
};

export const WatchResponse = {
  header,
  watchId: field(2, 'int64'),
  created: field(3, 'bool'),
  canceled: field(4, 'bool'),
  compactRevision: field(5, 'int64'),
  cancelReason: field(6, 'string'),
  fragment: field(7, 'bool'),
  events: repeated(11, WatchedEvent),
};

export const LeaseGrantRequest = { ttl: field(1, 'int64'), id: field(2, 'id') };
export const LeaseGrantResponse = {
  header,
  id: field(2, 'id'),
  ttl: field(3, 'int64'),
  error: field(4, 'string'),
};
export const LeaseRevokeRequest = { id: field(1, 'id') };
export const LeaseRevokeResponse = headerOnly;
export const LeaseKeepAliveRequest = { id: field(1, 'id') };
export const LeaseKeepAliveResponse = { header, id: field(2, 'id'), ttl: field(3, 'int64') };
export const LeaseTimeToLiveRequest = { id: field(1, 'id'), keys: field(2, 'bool') };
export const LeaseTimeToLiveResponse = {
  header,
  id: field(2, 'id'),
  ttl: field(3, 'int64'),
  grantedTtl: field(4, 'int64'),
  keys: repeated(5, 'bytes'),
};
export const LeaseLeasesRequest = {};
export const LeaseLeasesResponse = { header, leases: repeated(2, { id: field(1, 'id') }) };

export const Member = {
  id: field(1, 'uid'),
  name: field(2, 'string'),
  peerUrls: repeated(3, 'string'),
  clientUrls: repeated(4, 'string'),
  isLearner: field(5, 'bool'),
};

export const MemberListRequest = { linearizable: field(1, 'bool') };
export const MemberListResponse = { header, members: repeated(2, Member) };

export const alarmActions = { get: 0, activate: 1, deactivate: 2 } as const;
export const AlarmRequest = { action: field(1, 'enum'), memberId: field(2, 'uid'), alarm: field(3, 'enum') };
export const AlarmResponse = {
  header,
  alarms: repeated(2, { memberId: field(1, 'uid'), alarm: field(2, 'enum') }),
};

export const StatusRequest = {};
export const StatusResponse = {
  header,
  version: field(2, 'string'),
  dbSize: field(3, 'int64'),
  leader: field(4, 'uid'),
  raftIndex: field(5, 'int64'),
  raftTerm: field(6, 'int64'),
  raftAppliedIndex: field(7, 'int64'),
  errors: repeated(8, 'string'),
  dbSizeInUse: field(9, 'int64'),
  isLearner: field(10, 'bool'),
  storageVersion: field(11, 'string'),
  dbSizeQuota: field(12, 'int64'),
  downgradeInfo: field(13, { enabled: field(1, 'bool'), targetVersion: field(2, 'string') }),
};

export const DefragmentRequest = {};
export const DefragmentResponse = headerOnly;
export const HashRequest = {};
export const HashResponse = { header, hash: field(2, 'uint32') };
export const HashKvRequest = { revision: field(1, 'int64') };
export const HashKvResponse = {
  header,
  hash: field(2, 'uint32'),
  compactRevision: field(3, 'int64'),
  hashRevision: field(4, 'int64'),
};
export const MoveLeaderRequest = { targetId: field(1, 'uid') };
export const MoveLeaderResponse = headerOnly;

export const AuthStatusRequest = {};
export const AuthStatusResponse = { header, enabled: field(2, 'bool'), authRevision: field(3, 'int64') };
export const AuthenticateRequest = { name: field(1, 'string'), password: field(2, 'string') };
export const AuthenticateResponse = { header, token: field(2, 'string') };
/** For all requests of `Auth` about a single user or role. */
export const NameRequest = { name: field(1, 'string') };
export const HeaderOnlyResponse = headerOnly;
/** Users, roles, or the roles of a user. */
export const AuthNamesResponse = { header, names: repeated(2, 'string') };
export const AuthUserAddRequest = {
  name: field(1, 'string'),
  password: field(2, 'string'),
  options: field(3, { noPassword: field(1, 'bool') }),
};
export const AuthUserChangePasswordRequest = { name: field(1, 'string'), password: field(2, 'string') };
export const AuthUserRoleRequest = { user: field(1, 'string'), role: field(2, 'string') };
export const AuthPermission = {
  type: field(1, 'enum'),
  key: field(2, 'bytes'),
  rangeEnd: field(3, 'bytes'),
};
export const AuthRoleGetResponse = { header, permissions: repeated(2, AuthPermission) };
export const AuthRoleGrantPermissionRequest = {
  name: field(1, 'string'),
  permission: field(2, AuthPermission),
};
export const AuthRoleRevokePermissionRequest = {
  role: field(1, 'string'),
  key: field(2, 'bytes'),
  rangeEnd: field(3, 'bytes'),
};

export const MemberAddRequest = { peerUrls: repeated(1, 'string'), isLearner: field(2, 'bool') };
export const MemberRemoveRequest = { id: field(1, 'uid') };
export const MemberUpdateRequest = { id: field(1, 'uid'), peerUrls: repeated(2, 'string') };
export const MembersResponse = { header, members: repeated(2, Member) };
export const DowngradeRequest = { action: field(1, 'enum'), version: field(2, 'string') };
export const DowngradeResponse = { header, version: field(2, 'string') };

export const SnapshotRequest = {};
export const SnapshotResponse = {
  header,
  remainingBytes: field(2, 'int64'),
  blob: field(3, 'bytes'),
  version: field(4, 'string'),
};
