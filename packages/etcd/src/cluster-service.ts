/** What a cluster of one can tell about itself, and what it can't do. */
import { crc32 } from 'node:zlib';
import type { Engine } from '@coxswain/storage';
import { etcdError, GrpcError, grpcCodes } from '@coxswain/storage/etcd/grpc-status.ts';
import { bytesOf, endOfKeys } from '@coxswain/storage/key-bytes.ts';
import {
  AlarmRequest,
  AlarmResponse,
  AuthEnableRequest,
  AuthStatusRequest,
  AuthStatusResponse,
  AuthenticateRequest,
  DefragmentRequest,
  DefragmentResponse,
  HashKvRequest,
  HashKvResponse,
  HashRequest,
  HashResponse,
  MemberListRequest,
  MemberListResponse,
  MoveLeaderRequest,
  MoveLeaderResponse,
  StatusRequest,
  StatusResponse,
  alarmActions,
} from '@coxswain/storage/etcd/messages.ts';
import { unary } from './grpc/method.ts';
import type { Methods } from './grpc/method.ts';
import { headerOf, raftTerm } from './member.ts';
import type { Member } from './member.ts';
import type { Quota } from './quota.ts';
import { versions } from './versions.ts';

const noSpaceAlarm = 1;

export function clusterService(engine: Engine, member: Member, quota: Quota): Methods {
  const header = () => headerOf(member, engine);
  const { memberId: id } = member;
  return {
    '/etcdserverpb.Cluster/MemberList': unary(MemberListRequest, MemberListResponse, () => ({
      header: headerOf(member, engine, 0),
      members: [{ id, name: member.name, peerUrls: member.peerUrls, clientUrls: member.clientUrls }],
    })),

    '/etcdserverpb.Maintenance/Status': unary(StatusRequest, StatusResponse, () => {
      const { totalBytes, usedBytes } = engine.size();
      return {
        header: header(),
        version: versions.etcdserver,
        storageVersion: versions.storage,
        dbSize: totalBytes,
        dbSizeInUse: usedBytes,
        dbSizeQuota: quota.bytesMax,
        leader: id,
        raftIndex: engine.revision,
        raftAppliedIndex: engine.revision,
        raftTerm,
        errors: quota.isExceeded ? [`memberID:${id} alarm:NOSPACE `] : [],
        downgradeInfo: {},
      };
    }),

    '/etcdserverpb.Maintenance/Alarm': unary(AlarmRequest, AlarmResponse, ({ action }) => {
      const isRaised = action === alarmActions.get && quota.isExceeded;
      return { header: header(), alarms: isRaised ? [{ memberId: id, alarm: noSpaceAlarm }] : [] };
    }),

    // Freed pages are used again as they are.
    '/etcdserverpb.Maintenance/Defragment': unary(DefragmentRequest, DefragmentResponse, () => ({
      header: header(),
    })),

    '/etcdserverpb.Maintenance/Hash': unary(HashRequest, HashResponse, () => ({
      header: header(),
      hash: hashAt(engine, engine.revision),
    })),

    '/etcdserverpb.Maintenance/HashKV': unary(HashKvRequest, HashKvResponse, ({ revision }) => {
      const hashRevision = revision === 0 ? engine.revision : revision;
      const hash = hashAt(engine, hashRevision);
      return { header: header(), hash, hashRevision, compactRevision: engine.compactedRevision || -1 };
    }),

    '/etcdserverpb.Maintenance/MoveLeader': unary(MoveLeaderRequest, MoveLeaderResponse, ({ targetId }) => {
      if (targetId !== id) throw etcdError('badTransferee');
      return { header: header() };
    }),

    '/etcdserverpb.Auth/AuthStatus': unary(AuthStatusRequest, AuthStatusResponse, () => ({
      header: header(),
      enabled: false,
      authRevision: 1,
    })),

    '/etcdserverpb.Auth/AuthEnable': unary(AuthEnableRequest, MoveLeaderResponse, () => {
      throw etcdError('noRootUser');
    }),

    '/etcdserverpb.Auth/Authenticate': unary(AuthenticateRequest, MoveLeaderResponse, () => {
      throw etcdError('authNotEnabled');
    }),

    ...Object.fromEntries(notImplemented.map((path) => [path, refusal(path)])),
  };
}

/** Known to etcd's clients, and refused in plain words. */
const notImplementedOf = {
  Cluster: ['MemberAdd', 'MemberRemove', 'MemberUpdate', 'MemberPromote'],
  Maintenance: ['Snapshot', 'Downgrade'],
  Auth: [
    'AuthDisable',
    'UserAdd',
    'UserGet',
    'UserList',
    'UserDelete',
    'UserChangePassword',
    'UserGrantRole',
    'UserRevokeRole',
    'RoleAdd',
    'RoleGet',
    'RoleList',
    'RoleDelete',
    'RoleGrantPermission',
    'RoleRevokePermission',
  ],
} as const;

const notImplemented = Object.entries(notImplementedOf).flatMap(([service, names]) =>
  names.map((name) => `/etcdserverpb.${service}/${name}`),
);

const refusal = (path: string) =>
  unary({}, {}, () => {
    throw new GrpcError(grpcCodes.unimplemented, `etcdserver: ${path.split('/').at(-1)} is not implemented`);
  });

/** Tells two stores apart, or one at two revisions. Not etcd's own number. */
function hashAt(engine: Engine, revision: number): number {
  // Not 0, which an empty store would come to: clients take that for no answer.
  let hash = 1;
  for (const entry of engine.range({ start: '\0', end: endOfKeys }, { revision }).entries) {
    hash = crc32(entry.value, crc32(bytesOf(`${entry.key}\0${entry.modRevision}\0`), hash));
  }
  return hash;
}
