/** What messages of tables cost, in microseconds of processor time: those of etcd, as a busy server sees them. */
import { decode, encode, type Input, type MessageTable } from '@coxswain/protobuf';
import {
  PutRequest,
  PutResponse,
  RangeResponse,
  TxnRequest,
  WatchResponse,
} from '@coxswain/storage/etcd/messages.ts';

const header = {
  clusterId: 0x9f3b_77d1_05aa_e310n,
  memberId: 0xc812_0000_1234_ffffn,
  revision: 1_234_567,
  raftTerm: 3,
};
const key = Buffer.from('/registry/pods/default/web-6b7f8c9d5-x2x7k');
const kv = (bytes: number) => ({
  key,
  value: Buffer.alloc(bytes, 'x'),
  createRevision: 1_234_000,
  modRevision: 1_234_567,
  version: 7,
  lease: 0n,
});

const measured = <M extends MessageTable>(name: string, table: M, message: Input<M>, rounds: number) => {
  const bytes = encode(table, message);
  return [
    { name: `encode ${name}`, rounds, run: () => encode(table, message).length },
    { name: `decode ${name}`, rounds, run: () => Object.keys(decode(table, bytes)).length },
  ];
};

const compare = { result: 0, target: 2, key, modRevision: 1_234_560 };
const put = { key, value: Buffer.alloc(2_000, 'x'), lease: 0x1234_5678_9abc_def0n };

const cases = [
  ...measured('PutRequest, 2 KB', PutRequest, put, 200_000),
  ...measured('PutResponse', PutResponse, { header }, 200_000),
  ...measured('TxnRequest, 2 KB', TxnRequest, { compare: [compare], success: [{ put }] }, 100_000),
  ...measured('RangeResponse, 2 KB', RangeResponse, { header, kvs: [kv(2_000)], count: 1 }, 100_000),
  ...measured(
    'RangeResponse, 500 × 2 KB',
    RangeResponse,
    { header, kvs: Array.from({ length: 500 }, () => kv(2_000)), count: 500 },
    1_000,
  ),
  ...measured(
    'WatchResponse, 2 KB',
    WatchResponse,
    { header, watchId: 1, events: [{ type: 0, kv: kv(2_000) }] },
    100_000,
  ),
];

for (const { name, rounds, run } of cases) {
  for (let i = 0; i < rounds / 10; i++) run();
  const times = [0, 1, 2].map(() => {
    const before = process.cpuUsage();
    for (let i = 0; i < rounds; i++) run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / rounds;
  });
  console.log(`${name.padEnd(34)} ${Math.min(...times).toFixed(2)} µs`);
}
