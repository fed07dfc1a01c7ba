/** A client of etcd for tests: calls any method, with messages as plain values. */
import { connect } from 'node:http2';
import { ManualClock, systemClock } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage';
import { GrpcChannel } from '@coxswain/grpc/client/channel.ts';
import type { GrpcStream } from '@coxswain/grpc/client/stream.ts';
import { FrameReader, frame } from '@coxswain/grpc/frames.ts';
import {
  DeleteRangeRequest,
  DeleteRangeResponse,
  PutRequest,
  PutResponse,
  RangeRequest,
  RangeResponse,
  TxnRequest,
  TxnResponse,
  WatchRequest,
  WatchResponse,
  type KeyValue,
} from '@coxswain/storage/etcd/messages.ts';
import { decode, encode, type Decoded, type Input, type MessageTable } from '@coxswain/protobuf';
import { serveEtcd, type EtcdServerOptions } from './server.ts';

export const bytes = (value: string): Buffer => Buffer.from(value);
export const text = (value: Uint8Array): string => new TextDecoder().decode(value);
export const shown = ({ key, value, modRevision }: Decoded<typeof KeyValue>): string =>
  `${text(key)}=${text(value)}@${modRevision}`;

export async function openEtcd(options: Partial<EtcdServerOptions> = {}) {
  const clock = new ManualClock();
  const storage = new MemoryStorage({ clock, historyMsMax: 0, quotaBytes: options.quotaBytes ?? 0 });
  const listener = await serveEtcd({ engine: storage.engine, clock, ...options });
  const endpoint = `http://127.0.0.1:${listener.port}`;
  const channel = new GrpcChannel({ endpoints: [endpoint], clock: systemClock });
  const call = async <I extends MessageTable, O extends MessageTable>(
    path: string,
    requestTable: I,
    responseTable: O,
    request: Input<I>,
  ): Promise<Decoded<O>> =>
    decode(responseTable, await channel.unary(`/etcdserverpb.${path}`, encode(requestTable, request)));
  return {
    clock,
    engine: storage.engine,
    endpoint,
    port: listener.port,
    channel,
    call,
    range: (request: Input<typeof RangeRequest>) => call('KV/Range', RangeRequest, RangeResponse, request),
    put: (key: string, value: string, more: Input<typeof PutRequest> = {}) =>
      call('KV/Put', PutRequest, PutResponse, { key: bytes(key), value: bytes(value), ...more }),
    deleteRange: (request: Input<typeof DeleteRangeRequest>) =>
      call('KV/DeleteRange', DeleteRangeRequest, DeleteRangeResponse, request),
    txn: (request: Input<typeof TxnRequest>) => call('KV/Txn', TxnRequest, TxnResponse, request),
    watch: async () => new WatchClient(await channel.stream('/etcdserverpb.Watch/Watch')),
    async close() {
      channel.close();
      await listener.close();
      await storage.close();
    },
  };
}

export type OpenEtcd = Awaited<ReturnType<typeof openEtcd>>;

class WatchClient {
  readonly #stream: GrpcStream;
  readonly #messages: AsyncIterator<Uint8Array>;

  constructor(stream: GrpcStream) {
    this.#stream = stream;
    this.#messages = stream[Symbol.asyncIterator]();
  }

  send(request: Input<typeof WatchRequest>): void {
    this.#stream.send(encode(WatchRequest, request));
  }

  async next(): Promise<Decoded<typeof WatchResponse>> {
    const { value, done } = await this.#messages.next();
    if (done === true) throw new Error('the stream has ended');
    return decode(WatchResponse, value);
  }

  /** The next response with events. */
  async events(): Promise<string[]> {
    for (;;) {
      const { events } = await this.next();
      if (events.length === 0) continue;
      return events.map(({ type, kv, prevKv }) => {
        const was = prevKv === undefined ? '' : ` was ${shown(prevKv)}`;
        return `${type === 0 ? 'put' : 'delete'} ${shown(kv!)}${was}`;
      });
    }
  }

  cancel(): void {
    this.#stream.cancel();
  }
}

/** Opens a watch and reads nothing from it until `read` is called, which returns all responses until `isLast`. */
export async function watchWithoutReading(endpoint: string, create: Input<typeof WatchRequest>['create']) {
  const session = connect(endpoint);
  const stream = session.request({
    ':method': 'POST',
    ':path': '/etcdserverpb.Watch/Watch',
    'content-type': 'application/grpc',
  });
  stream.write(frame(encode(WatchRequest, { create })));
  await new Promise<void>((resolve) => void stream.once('response', () => resolve()));
  return {
    async read(isLast: (response: Decoded<typeof WatchResponse>) => boolean) {
      const reader = new FrameReader(2 ** 30);
      const responses: Decoded<typeof WatchResponse>[] = [];
      for await (const chunk of stream) {
        for (const message of reader.push(chunk as Buffer)) responses.push(decode(WatchResponse, message));
        if (responses.length > 0 && isLast(responses.at(-1)!)) break;
      }
      session.destroy();
      return responses;
    },
  };
}
