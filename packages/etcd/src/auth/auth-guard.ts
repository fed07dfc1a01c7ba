/** The permission that each method requires once authentication is enabled. */
import type { Engine, KeyRange } from '@coxswain/storage';
import { etcdError } from '@coxswain/storage/etcd/etcd-errors.ts';
import type {
  DeleteRangeRequest,
  LeaseRevokeRequest,
  LeaseTimeToLiveRequest,
  PutRequest,
  RangeRequest,
  RequestOp,
  TxnRequest,
  WatchCreateRequest,
} from '@coxswain/storage/etcd/messages.ts';
import { byteStringOf } from '@coxswain/storage/key-bytes.ts';
import type { Decoded } from '@coxswain/protobuf';
import type { Caller, Method, Methods } from '@coxswain/grpc/server/method.ts';
import { queueOf } from '../concurrency/queue.ts';
import { asKeyRange, rangeOf } from '../kv/keys.ts';
import type { AuthStore } from './auth-store.ts';
import { isRoot, permits, type Access } from './permits.ts';

export interface Need {
  readonly access: Access;
  readonly range: KeyRange;
}

const rootOnly = [
  'Maintenance/Defragment',
  'Maintenance/Snapshot',
  'Maintenance/Hash',
  'Maintenance/HashKV',
  'Maintenance/MoveLeader',
  'Maintenance/Downgrade',
  'Cluster/MemberAdd',
  'Cluster/MemberRemove',
  'Cluster/MemberUpdate',
  'Cluster/MemberPromote',
].map((name) => `/etcdserverpb.${name}`);

/** Adds the permission check to each method. While authentication is disabled, this costs one comparison. */
export function guarded(methods: Methods, engine: Engine, store: AuthStore): Methods {
  const needs: Readonly<Record<string, (request: never) => readonly Need[]>> = {
    '/etcdserverpb.KV/Range': needsOfRange,
    '/etcdserverpb.KV/Put': (request: Decoded<typeof PutRequest>) => needsOfPut(request, engine),
    '/etcdserverpb.KV/DeleteRange': needsOfDelete,
    '/etcdserverpb.KV/Txn': (request: Decoded<typeof TxnRequest>) => needsOfTxn(request, engine),
    '/v3lockpb.Lock/Lock': needsOfQueue,
    '/v3lockpb.Lock/Unlock': ({ key }: { key: Uint8Array }) =>
      writeNeeds(rangeOfKey(byteStringOf(key)), false),
    '/v3electionpb.Election/Campaign': needsOfQueue,
    '/v3electionpb.Election/Leader': needsOfQueue,
    '/v3electionpb.Election/Proclaim': needsOfLeader,
    '/v3electionpb.Election/Resign': needsOfLeader,
    '/etcdserverpb.Lease/LeaseRevoke': ({ id }: Decoded<typeof LeaseRevokeRequest>) =>
      needsOfLease(engine, id, 'write'),
    '/etcdserverpb.Lease/LeaseTimeToLive': ({ id, keys }: Decoded<typeof LeaseTimeToLiveRequest>) =>
      keys ? needsOfLease(engine, id, 'read') : [],
  };
  const withGuard = (path: string, method: Method): Method => {
    const { unary, stream } = method;
    const check = (caller: Caller, request: unknown): void => {
      if (!store.state.isEnabled) return;
      if (rootOnly.includes(path)) mustBeRoot(store, caller);
      else if (needs[path] !== undefined) mustHave(store, caller, needs[path](request as never));
    };
    return {
      ...method,
      ...(unary && {
        unary: (request: never, caller: Caller) => {
          check(caller, request);
          return unary(request, caller);
        },
      }),
      ...(stream && {
        stream: async (call: Parameters<typeof stream>[0]) => {
          check(call.caller, undefined);
          return stream(call);
        },
      }),
    };
  };
  return Object.fromEntries(Object.entries(methods).map(([path, method]) => [path, withGuard(path, method)]));
}

/** @throws GrpcError */
export function mustWatch(
  store: AuthStore,
  caller: Caller,
  request: Decoded<typeof WatchCreateRequest>,
): void {
  if (store.state.isEnabled) mustHave(store, caller, [{ access: 'read', range: rangeIn(request) }]);
}

function mustBeRoot(store: AuthStore, caller: Caller): void {
  if (!isRoot(store.callerOf(caller).user)) throw etcdError('permissionDenied');
}

function mustHave(store: AuthStore, caller: Caller, needs: readonly Need[]): void {
  const { user } = store.callerOf(caller);
  const isPermitted = needs.every(({ access, range }) => permits(store.state, user, access, range));
  if (!isPermitted) throw etcdError('permissionDenied');
}

const rangeIn = ({ key, rangeEnd }: { readonly key: Uint8Array; readonly rangeEnd: Uint8Array }): KeyRange =>
  asKeyRange(rangeOf(key, rangeEnd));

const needsOfRange = (request: Decoded<typeof RangeRequest>): readonly Need[] => [
  { access: 'read', range: rangeIn(request) },
];

/** Whoever attaches a key to a lease can end the lease, and with it the other keys attached to it. */
function needsOfPut({ key, prevKv, lease }: Decoded<typeof PutRequest>, engine: Engine): readonly Need[] {
  const range = rangeOfKey(byteStringOf(key));
  return [...writeNeeds(range, prevKv), ...(lease === 0n ? [] : needsOfLease(engine, lease, 'write'))];
}

const needsOfDelete = (request: Decoded<typeof DeleteRangeRequest>): readonly Need[] =>
  writeNeeds(rangeIn(request), request.prevKv);

function needsOfTxn(request: Decoded<typeof TxnRequest>, engine: Engine): readonly Need[] {
  const compared = request.compare.map((compare): Need => ({ access: 'read', range: rangeIn(compare) }));
  return [
    ...compared,
    ...[...request.success, ...request.failure].flatMap((operation) => needsOfOperation(operation, engine)),
  ];
}

function needsOfOperation(
  { range, put, deleteRange, txn }: Decoded<typeof RequestOp>,
  engine: Engine,
): readonly Need[] {
  if (range !== undefined) return needsOfRange(range);
  if (put !== undefined) return needsOfPut(put, engine);
  if (deleteRange !== undefined) return needsOfDelete(deleteRange);
  return txn === undefined ? [] : needsOfTxn(txn, engine);
}

/** For locks and elections, whose queues are keys below a name. */
const needsOfQueue = ({ name }: { name: Uint8Array }): readonly Need[] =>
  writeNeeds(queueOf(byteStringOf(name)), true);

const needsOfLeader = ({ leader }: { leader?: { key: Uint8Array } }): readonly Need[] =>
  leader === undefined ? [] : writeNeeds(rangeOfKey(byteStringOf(leader.key)), false);

const needsOfLease = (engine: Engine, id: bigint, access: Access): readonly Need[] =>
  engine.leases.keys(id).map((key) => ({ access, range: rangeOfKey(key) }));

const writeNeeds = (range: KeyRange, isPreviousWanted: boolean): readonly Need[] => [
  { access: 'write', range },
  ...(isPreviousWanted ? [{ access: 'read', range } as const] : []),
];

const rangeOfKey = (key: string): KeyRange => ({ start: key, end: `${key}\0` });
