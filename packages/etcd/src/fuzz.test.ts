import { constants, connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { seededRandom } from '@coxswain/apimachinery';
import { frame } from '@coxswain/grpc/frames.ts';
import { WatchRequest } from '@coxswain/storage/etcd/messages.ts';
import { encode } from '@coxswain/protobuf';
import { expect, test } from 'vitest';
import { bytes, openEtcd } from './client.fixture.ts';

const rounds = 150;

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('clients that break off, reset and talk nonsense leave the server as it was', async () => {
  const etcd = await openEtcd();
  const random = seededRandom(7);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random.next() * values.length)]!;
  const noise = (): Buffer =>
    Buffer.from(Array.from({ length: random.next() * 60 }, () => random.next() * 256));

  const acts = [
    async () => {
      const socket = connect(etcd.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        pick([
          noise(),
          Buffer.concat([bytes('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), noise()]),
          bytes('GET /'),
          bytes('PRI'),
        ]),
      );
      await turn();
      socket.destroy();
    },
    async () => {
      const session = connectHttp2(etcd.endpoint);
      session.on('error', () => undefined);
      for (let i = 0; i < 5; i++) {
        const method = pick([
          'KV/Range',
          'KV/Txn',
          'Watch/Watch',
          'Lease/LeaseKeepAlive',
          'KV/Nope',
          'Maintenance/Status',
        ]);
        const stream = session.request({
          ':method': 'POST',
          ':path': `/etcdserverpb.${method}`,
          'content-type': pick(['application/grpc', 'application/grpc', 'text/plain']),
        });
        stream.on('error', () => undefined);
        const create = encode(WatchRequest, { create: { key: bytes('a') } });
        stream.write(
          pick([noise(), frame(noise()), frame(create), frame(new Uint8Array(0)), bytes('\x01\0\0\0\0')]),
        );
        if (random.next() < 0.5) await turn();
        pick([
          () => stream.close(constants.NGHTTP2_CANCEL),
          () => stream.end(),
          () => stream.destroy(),
          () => undefined,
        ])();
      }
      if (random.next() < 0.5) await turn();
      session.destroy();
    },
  ];
  for (let round = 0; round < rounds; round++) await pick(acts)();

  await etcd.put('a', 'after');
  expect((await etcd.range({ key: bytes('a') })).count).toBe(1);
  await etcd.close();
});
