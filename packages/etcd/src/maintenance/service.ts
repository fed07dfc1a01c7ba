import type { Clock } from '@coxswain/apimachinery';
import type { Alarm, Engine } from '@coxswain/storage';
import { etcdError } from '@coxswain/storage/etcd/etcd-errors.ts';
import {
  AlarmRequest,
  AlarmResponse,
  DefragmentRequest,
  DefragmentResponse,
  DowngradeRequest,
  DowngradeResponse,
  HashKvRequest,
  HashKvResponse,
  HashRequest,
  HashResponse,
  MoveLeaderRequest,
  MoveLeaderResponse,
  SnapshotRequest,
  SnapshotResponse,
  StatusRequest,
  StatusResponse,
  alarmActions,
} from '@coxswain/storage/etcd/messages.ts';
import type { Decoded, Input } from '@coxswain/protobuf';
import type { AuthState } from '../auth/auth-state.ts';
import { stream, unary, type Methods } from '@coxswain/grpc/server/method.ts';
import { headerOf, raftTerm, type Member } from '../member.ts';
import { versions } from '../versions.ts';
import { hashDatabase } from './hash-database.ts';
import { hashKv } from './hash-kv.ts';
import { sendSnapshot } from './snapshot.ts';
import { SnapshotLimiter } from './snapshot-limiter.ts';

export interface MaintenanceOptions {
  readonly engine: Engine;
  readonly member: Member;
  readonly clock: Clock;
  readonly quotaBytes: number;
  /** The current users and roles. */
  readonly auth: () => AuthState;
  readonly scratchDirectory?: string | undefined;
}

/** By number; 0 means all of them. */
const alarmNumbers: Readonly<Record<Alarm, number>> = { NOSPACE: 1, CORRUPT: 2 };
const alarms = Object.keys(alarmNumbers) as Alarm[];

const downgradeActions = { validate: 0, enable: 1, cancel: 2 } as const;

export function maintenanceService(options: MaintenanceOptions): Methods {
  const { engine, member, auth, scratchDirectory } = options;
  const places = new SnapshotLimiter(options.clock);
  const header = () => headerOf(member, engine);
  return {
    '/etcdserverpb.Maintenance/Status': unary(StatusRequest, StatusResponse, () => status(options)),

    '/etcdserverpb.Maintenance/Alarm': unary(AlarmRequest, AlarmResponse, async (request) => ({
      header: header(),
      alarms: (await changeAlarms(engine, member, request)).map((alarm) => ({
        memberId: member.memberId,
        alarm: alarmNumbers[alarm],
      })),
    })),

    '/etcdserverpb.Maintenance/Defragment': unary(DefragmentRequest, DefragmentResponse, async () => {
      await engine.defragment();
      return { header: header() };
    }),

    '/etcdserverpb.Maintenance/Hash': unary(HashRequest, HashResponse, async () => ({
      header: header(),
      hash: await hashDatabase({ engine, member, auth, scratchDirectory }),
    })),

    '/etcdserverpb.Maintenance/HashKV': unary(HashKvRequest, HashKvResponse, async ({ revision }) => ({
      header: header(),
      ...(await hashKv(engine, revision, scratchDirectory)),
    })),

    '/etcdserverpb.Maintenance/Snapshot': stream(SnapshotRequest, SnapshotResponse, (call) =>
      sendSnapshot(call, { engine, member, header, auth, places, scratchDirectory }),
    ),

    // The only member is already the leader.
    '/etcdserverpb.Maintenance/MoveLeader': unary(MoveLeaderRequest, MoveLeaderResponse, ({ targetId }) => {
      if (targetId !== member.memberId) throw etcdError('badTransferee');
      return { header: header() };
    }),

    '/etcdserverpb.Maintenance/Downgrade': unary(DowngradeRequest, DowngradeResponse, (request) => {
      if (request.action === downgradeActions.cancel) throw etcdError('noDowngrade');
      if (!/^v?\d+\.\d+(\.\d+)?$/.test(request.version)) throw etcdError('wrongDowngradeVersion');
      // The database has a different format, so an older etcd could not use it.
      throw etcdError('invalidDowngradeTarget');
    }),
  };
}

function status({ engine, member, quotaBytes }: MaintenanceOptions): Input<typeof StatusResponse> {
  const { totalBytes, usedBytes } = engine.size();
  const { memberId } = member;
  return {
    header: headerOf(member, engine),
    version: versions.etcdserver,
    storageVersion: versions.storage,
    dbSize: totalBytes,
    dbSizeInUse: usedBytes,
    dbSizeQuota: quotaBytes,
    leader: memberId,
    // Each revision counts as one entry of the log.
    raftIndex: engine.revision,
    raftAppliedIndex: engine.revision,
    raftTerm,
    errors: engine.alarms.list().map((alarm) => `memberID:${memberId} alarm:${alarm} `),
    downgradeInfo: {},
  };
}

/** The alarms in the response: all active ones, or those that were changed. */
async function changeAlarms(
  engine: Engine,
  member: Member,
  { action, alarm: number, memberId }: Decoded<typeof AlarmRequest>,
): Promise<readonly Alarm[]> {
  const wanted = alarms.filter((alarm) => number === 0 || alarmNumbers[alarm] === number);
  const raised = engine.alarms.list().filter((alarm) => wanted.includes(alarm));
  if (action === alarmActions.get) return raised;
  if (memberId !== 0n && memberId !== member.memberId) return [];
  if (action === alarmActions.activate) {
    if (number === 0) return [];
    for (const alarm of wanted) await engine.alarms.raise(alarm);
    return wanted;
  }
  for (const alarm of raised) await engine.alarms.disarm(alarm);
  return raised;
}
