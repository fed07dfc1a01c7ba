import type { Engine } from '@coxswain/storage';
import { byteStringOf, bytesOf } from '@coxswain/storage/key-bytes.ts';
import { ResponseHeader } from '@coxswain/storage/etcd/messages.ts';
import { field } from '@coxswain/protobuf';
import { unary, type Methods } from '@coxswain/grpc/server/method.ts';
import { headerOf, type Member } from '../member.ts';
import { becomeFirst, join } from './queue.ts';

const header = field(1, ResponseHeader);
const LockRequest = { name: field(1, 'bytes'), lease: field(2, 'id') };
const LockResponse = { header, key: field(2, 'bytes') };
const UnlockRequest = { key: field(1, 'bytes') };
const UnlockResponse = { header };

/** Locks acquired by the server: held until they are unlocked or their lease ends. */
export const lockService = (engine: Engine, member: Member): Methods => ({
  '/v3lockpb.Lock/Lock': unary(LockRequest, LockResponse, async ({ name, lease }, { signal }) => {
    const queue = byteStringOf(name);
    const own = await join(engine, queue, lease);
    await becomeFirst(engine, queue, own, signal);
    return { header: headerOf(member, engine), key: bytesOf(own.key) };
  }),

  '/v3lockpb.Lock/Unlock': unary(UnlockRequest, UnlockResponse, async ({ key }) => {
    const { revision } = await engine.transact({
      success: [{ kind: 'delete', range: { key: byteStringOf(key) } }],
    });
    return { header: headerOf(member, engine, revision) };
  }),
});
