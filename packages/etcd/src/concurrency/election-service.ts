import type { Engine, Entry, Operation } from '@coxswain/storage';
import { GrpcError, grpcCodes } from '@coxswain/grpc/status.ts';
import { KeyValue, ResponseHeader } from '@coxswain/storage/etcd/messages.ts';
import { field, type Decoded } from '@coxswain/protobuf';
import { byteStringOf, bytesOf } from '@coxswain/storage/key-bytes.ts';
import { stream, unary, type Methods } from '@coxswain/grpc/server/method.ts';
import { keyValueOf } from '../kv/keys.ts';
import { headerOf, type Member } from '../member.ts';
import { becomeFirst, changeAfter, firstOf, join, queueOf } from './queue.ts';

const header = field(1, ResponseHeader);
const LeaderKey = {
  name: field(1, 'bytes'),
  key: field(2, 'bytes'),
  revision: field(3, 'int64'),
  lease: field(4, 'id'),
};
const CampaignRequest = { name: field(1, 'bytes'), lease: field(2, 'id'), value: field(3, 'bytes') };
const CampaignResponse = { header, leader: field(2, LeaderKey) };
const LeaderRequest = { name: field(1, 'bytes') };
const LeaderResponse = { header, kv: field(2, KeyValue) };
const ProclaimRequest = { leader: field(1, LeaderKey), value: field(2, 'bytes') };
const ResignRequest = { leader: field(1, LeaderKey) };
const HeaderOnly = { header };

export function electionService(engine: Engine, member: Member): Methods {
  const answerHeader = () => headerOf(member, engine);
  return {
    '/v3electionpb.Election/Campaign': unary(
      CampaignRequest,
      CampaignResponse,
      async (request, { signal }) => {
        const name = byteStringOf(request.name);
        const own = await join(engine, name, request.lease, request.value);
        if (!Buffer.from(own.value).equals(request.value)) await proclaim(engine, own, request.value);
        await becomeFirst(engine, name, own, signal);
        const { key, createRevision: revision, leaseId: lease = 0n } = own;
        return { header: answerHeader(), leader: { name: request.name, key: bytesOf(key), revision, lease } };
      },
    ),

    '/v3electionpb.Election/Proclaim': unary(ProclaimRequest, HeaderOnly, async ({ leader, value }) => {
      await proclaim(engine, keyOf(leader), value);
      return { header: answerHeader() };
    }),

    '/v3electionpb.Election/Leader': unary(LeaderRequest, LeaderResponse, ({ name }) => {
      const first = firstOf(engine, byteStringOf(name));
      if (first === undefined) throw new GrpcError(grpcCodes.unknown, 'election: no leader');
      return { header: answerHeader(), kv: keyValueOf(first) };
    }),

    '/v3electionpb.Election/Observe': stream(LeaderRequest, LeaderResponse, async (call) => {
      for await (const request of call.requests) {
        const name = byteStringOf(request.name);
        await observe(engine, name, call.signal, (leader) =>
          call.send({ header: answerHeader(), kv: keyValueOf(leader) }),
        );
      }
    }),

    '/v3electionpb.Election/Resign': unary(ResignRequest, HeaderOnly, async ({ leader }) => {
      const own = keyOf(leader);
      await ifStillThere(engine, own, { kind: 'delete', range: { key: own.key } });
      return { header: answerHeader() };
    }),
  };
}

type OwnKey = Pick<Entry, 'key' | 'createRevision' | 'leaseId'>;

function keyOf(leader: Decoded<typeof LeaderKey> | undefined): OwnKey {
  if (leader === undefined) throw new GrpcError(grpcCodes.invalidArgument, '"leader" field must be provided');
  return { key: byteStringOf(leader.key), createRevision: leader.revision, leaseId: leader.lease };
}

async function proclaim(engine: Engine, own: OwnKey, value: Uint8Array): Promise<void> {
  const put = { kind: 'put', key: own.key, value: Uint8Array.from(value), leaseId: 'keep' } as const;
  if (!(await ifStillThere(engine, own, put))) throw new GrpcError(grpcCodes.unknown, 'election: not leader');
}

async function ifStillThere(engine: Engine, own: OwnKey, operation: Operation): Promise<boolean> {
  const { key, createRevision: value } = own;
  const { succeeded } = await engine.transact({
    compares: [{ range: { key }, relation: 'equal', target: { field: 'createRevision', value } }],
    success: [operation],
  });
  return succeeded;
}

/** Sends the leader now and after each change of the leader or of its proclaimed value, until `signal` aborts. */
async function observe(
  engine: Engine,
  name: string,
  signal: AbortSignal,
  report: (leader: Entry) => void,
): Promise<void> {
  for (let reported = 0; !signal.aborted;) {
    const { revision } = engine;
    const leader = firstOf(engine, name);
    if (leader !== undefined && leader.modRevision !== reported) report(leader);
    reported = leader?.modRevision ?? 0;
    await changeAfter(engine, queueOf(name), revision, signal);
  }
}
