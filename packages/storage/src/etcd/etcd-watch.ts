import { StorageError, type Event, type EventBatch, type KeyRange, type Revision } from '../storage.ts';
import type { GrpcChannel } from '@coxswain/grpc/client/channel.ts';
import type { GrpcStream } from '@coxswain/grpc/client/stream.ts';
import { GrpcError, grpcCodes } from '@coxswain/grpc/status.ts';
import { etcdErrors } from './etcd-errors.ts';
import type { KeySpace } from './key-space.ts';
import { WatchRequest, WatchResponse, eventTypes, type WatchedEvent } from './messages.ts';
import { decode, encode, type Decoded } from '@coxswain/protobuf';

/** One watch on a stream of its own, so that progress notifications are for this watch. */
export class EtcdWatch {
  readonly #stream: GrpcStream;
  readonly #keys: KeySpace;
  readonly range: KeyRange;
  readonly #after: Revision;

  private constructor(stream: GrpcStream, keys: KeySpace, range: KeyRange, after: Revision) {
    this.#stream = stream;
    this.#keys = keys;
    this.range = range;
    this.#after = after;
  }

  static async open(
    channel: GrpcChannel,
    keys: KeySpace,
    range: KeyRange,
    after: Revision,
  ): Promise<EtcdWatch> {
    const watch = new EtcdWatch(await channel.stream('/etcdserverpb.Watch/Watch'), keys, range, after);
    const create = {
      key: keys.bytes(range.start),
      rangeEnd: keys.bytes(range.end),
      startRevision: after + 1,
      prevKv: true,
      progressNotify: true,
    };
    watch.#stream.send(encode(WatchRequest, { create }));
    return watch;
  }

  requestProgress(): void {
    this.#stream.send(encode(WatchRequest, { progress: {} }));
  }

  cancel(): void {
    this.#stream.cancel();
  }

  /**
   * @param newest fetches etcd's revision
   * @throws StorageError 'compacted', GrpcError
   */
  async *batches(newest: () => Promise<Revision>): AsyncGenerator<EventBatch, void, void> {
    let newestReported = this.#after;
    for await (const message of this.#stream) {
      const response = decode(WatchResponse, message);
      if (response.canceled) throw this.#refusal(response);
      if (response.created) {
        await this.#mustGoOn(response.header!.revision, newest);
        continue;
      }
      const events = response.events.map((event) => this.#event(event));
      // An event response's own revision may be ahead of the delivered events; a progress notification's is not.
      const revision = events.at(-1)?.entry.modRevision ?? response.header!.revision;
      // A member that lags behind the previous one reports progress that was already made.
      if (revision < newestReported) continue;
      newestReported = revision;
      yield { revision, events };
    }
    throw new GrpcError(grpcCodes.unavailable, 'the watch ended');
  }

  /**
   * An etcd restored to an earlier state would be silent until it has passed `after` again, and events until then would
   * be missed. A member that only lags behind is not mistaken for one.
   */
  async #mustGoOn(reported: Revision, newest: () => Promise<Revision>): Promise<void> {
    if (reported >= this.#after) return;
    const revision = await newest();
    if (revision >= this.#after) return;
    const message = `etcd is at revision ${revision} and was at ${this.#after}: it was put back`;
    throw new StorageError('compacted', message, { revision });
  }

  #refusal({ compactRevision, cancelReason }: Decoded<typeof WatchResponse>): Error {
    if (compactRevision > 0 || cancelReason === etcdErrors.compacted[1]) {
      return new StorageError('compacted', etcdErrors.compacted[1], { revision: compactRevision });
    }
    return new GrpcError(grpcCodes.unavailable, `the watch was cancelled: ${cancelReason}`);
  }

  #event({ type, kv, prevKv }: Decoded<typeof WatchedEvent>): Event {
    const entry = this.#keys.entry(kv!);
    const previous = prevKv && this.#keys.entry(prevKv);
    if (type === eventTypes.put) return { type: 'put', entry, ...(previous && { previous }) };
    // A delete has only the key and the revision.
    return {
      type: 'delete',
      entry: { ...entry, ...previous, modRevision: entry.modRevision },
      ...(previous && { previous }),
    };
  }
}
