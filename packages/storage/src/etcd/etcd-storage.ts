import { here, runStep, systemClock, type Clock } from '@coxswain/apimachinery';
import { LeasePool } from '../engine/lease-pool.ts';
import { updateOptimistically, type Attempt, type Write } from '../optimistic-update.ts';
import {
  closedError,
  type Change,
  type Entry,
  type EventBatch,
  type KeyRange,
  type LeaseId,
  type ListOptions,
  type Page,
  type RemoteStorage,
  type Revision,
  type UpdateOptions,
} from '../storage.ts';
import { etcdErrors } from './etcd-errors.ts';
import { asStorageFailure } from './etcd-failures.ts';
import { EtcdWatch } from './etcd-watch.ts';
import { compactionKey, type CompactionRound } from './compact-together.ts';
import { GrpcChannel, type CallOptions } from '@coxswain/grpc/client/channel.ts';
import type { GrpcError } from '@coxswain/grpc/status.ts';
import type { EndpointDial } from '@coxswain/grpc/client/endpoint-socket.ts';
import type { ChannelTls } from '@coxswain/grpc/client/session.ts';
import { KeySpace } from './key-space.ts';
import {
  CompactionRequest,
  CompactionResponse,
  LeaseGrantRequest,
  LeaseGrantResponse,
  RangeRequest,
  RangeResponse,
  SnapshotRequest,
  StatusRequest,
  StatusResponse,
  TxnRequest,
  TxnResponse,
  compareResults,
  compareTargets,
} from './messages.ts';
import { whole } from './etcd-snapshot.ts';
import { hasTrueProgress } from './true-progress.ts';
import { decode, encode, type Decoded, type Input, type MessageTable } from '@coxswain/protobuf';

const reading = { isIdempotent: true } as const;

/**
 * A member that is cut off from the others reports it at once; otherwise its watches would be silent, and its calls
 * wait in vain.
 */
const requiresLeader = { hasleader: 'true' } as const;
const isNotBegun = ({ message }: GrpcError): boolean => message === etcdErrors.noLeader[1];

export interface EtcdOptions {
  /** `http://host:port` or `https://host:port`; one that responds is used. */
  readonly endpoints: readonly string[];
  readonly tls?: ChannelTls;
  /** Opens connections, unless they are direct. */
  readonly dial?: EndpointDial | undefined;
  /** A key prefix, and its replacement in etcd. */
  readonly directory?: { readonly inner: string; readonly outer: string };
  /** The timeout of a call, and of waiting for an endpoint that responds. */
  readonly timeoutMs?: number;
  readonly clock?: Clock;
}

const sameKeys = { inner: '', outer: '' };

/** The five verbs over a remote etcd. */
export class EtcdStorage implements RemoteStorage {
  readonly #channel: GrpcChannel;
  readonly #keys: KeySpace;
  readonly #leases: LeasePool;
  readonly #watches = new Set<EtcdWatch>();
  #reportsProgress: Promise<boolean> | undefined;
  #closed = false;
  #compactedRevision: Revision = 0;

  constructor({ endpoints, tls, dial, directory = sameKeys, timeoutMs, clock = systemClock }: EtcdOptions) {
    this.#channel = new GrpcChannel({
      endpoints,
      tls,
      dial,
      clock,
      timeoutMs,
      metadata: requiresLeader,
      isNotBegun,
    });
    this.#keys = new KeySpace(directory);
    this.#leases = new LeasePool(clock, (ttlSeconds) => this.#grantLease(ttlSeconds));
  }

  async revision(): Promise<Revision> {
    // Any linearizable read returns it; a key that doesn't exist is the cheapest.
    const { header } = await this.#range({ key: Uint8Array.of(0), countOnly: true });
    return header!.revision;
  }

  async get(key: string, options: { readonly revision?: Revision } = {}): Promise<Entry | undefined> {
    const { kvs } = await this.#range({ key: this.#keys.bytes(key), revision: options.revision });
    return kvs[0] && this.#keys.entry(kvs[0]);
  }

  async list({ start, end }: KeyRange, { revision, limit }: ListOptions = {}): Promise<Page> {
    const range = { key: this.#keys.bytes(start), rangeEnd: this.#keys.bytes(end) };
    const { kvs, more, count, header } = await this.#range({ ...range, revision, limit });
    const entries = kvs.map((kv) => this.#keys.entry(kv));
    return { entries, more, count, revision: revision ?? header!.revision };
  }

  async update(
    key: string,
    change: (current: Entry | undefined) => Change | Promise<Change>,
    options: UpdateOptions = {},
  ): Promise<Entry | undefined> {
    const remote = {
      checkOpen: () => this.#checkOpen(),
      get: () => this.get(key),
      attempt: (current: Entry | undefined, wanted: Write) =>
        runStep(
          options.observer,
          here`storage.transact`,
          async () => {
            const attempt = await this.#attempt(key, current, wanted, options.signal);
            const { succeeded, entry } = attempt;
            if (succeeded && entry) options.observer?.wrote?.(entry.modRevision, key);
            else options.observer?.note?.({ overtakenBy: entry?.modRevision ?? 'a deletion' });
            return attempt;
          },
          options.observer && { key, change: wanted.kind },
        ),
    };
    return updateOptimistically(remote, change, options);
  }

  async *watch(
    range: KeyRange,
    after: Revision,
    signal: AbortSignal,
  ): AsyncGenerator<EventBatch, void, void> {
    if (signal.aborted) return;
    this.#checkOpen();
    let watch: EtcdWatch | undefined;
    const stop = (): void => watch?.cancel();
    signal.addEventListener('abort', stop, { once: true });
    try {
      watch = await EtcdWatch.open(this.#channel, this.#keys, range, after);
      this.#watches.add(watch);
      if (signal.aborted) return;
      yield* watch.batches(() => this.revision());
    } catch (failure) {
      if (!signal.aborted) throw asStorageFailure(failure, this.#closed);
    } finally {
      signal.removeEventListener('abort', stop);
      if (watch !== undefined) {
        this.#watches.delete(watch);
        watch.cancel();
      }
    }
  }

  /** Whether progress notifications are reliable: in older versions they could precede events. */
  reportsProgress(): Promise<boolean> {
    this.#reportsProgress ??= this.#call(
      'Maintenance/Status',
      StatusRequest,
      StatusResponse,
      {},
      reading,
    ).then(({ version }) => hasTrueProgress(version));
    this.#reportsProgress.catch(() => (this.#reportsProgress = undefined));
    return this.#reportsProgress;
  }

  /** Reads a key from etcd, which requires agreement of its members. @throws StorageError */
  async check(timeoutMs: number): Promise<void> {
    const key = new TextEncoder().encode(`${this.#keys.outer}/health`);
    await this.#call('KV/Range', RangeRequest, RangeResponse, { key }, { ...reading, timeoutMs });
  }

  /** See `compactTogether`. */
  async countRound(before: CompactionRound): Promise<CompactionRound & { readonly isCounted: boolean }> {
    const key = new TextEncoder().encode(compactionKey);
    const value = new TextEncoder().encode(String(before.revision));
    const { succeeded, header, responses } = await this.#call('KV/Txn', TxnRequest, TxnResponse, {
      compare: [{ key, target: compareTargets.version, result: compareResults.equal, version: before.count }],
      success: [{ put: { key, value } }],
      failure: [{ range: { key } }],
    });
    const { revision } = header!;
    const reported = responses[0]?.range?.kvs[0];
    this.#noteCompacted(Number(new TextDecoder().decode(reported?.value)));
    if (succeeded) return { isCounted: true, count: before.count + 1, revision };
    return { isCounted: false, count: reported?.version ?? 0, revision };
  }

  /**
   * The database of one member, in the format of `etcdctl snapshot save`; `etcdutl snapshot restore` makes members from
   * it.
   * @throws StorageError 'corrupt' at the end when its checksum differs
   */
  async *snapshot(): AsyncGenerator<Uint8Array, void, void> {
    this.#checkOpen();
    const stream = await this.#channel.stream('/etcdserverpb.Maintenance/Snapshot');
    stream.send(encode(SnapshotRequest, {}));
    stream.end();
    try {
      yield* whole(stream);
    } catch (failure) {
      throw asStorageFailure(failure, this.#closed);
    } finally {
      stream.cancel();
    }
  }

  requestProgress({ start, end }: KeyRange): void {
    for (const watch of this.#watches) {
      if (watch.range.start === start && watch.range.end === end) watch.requestProgress();
    }
  }

  async compact(revision: Revision): Promise<void> {
    await this.#call('KV/Compact', CompactionRequest, CompactionResponse, { revision });
    this.#noteCompacted(revision);
  }

  /** Other servers compact as well, and record it in the key of the rounds. */
  #noteCompacted(revision: Revision): void {
    if (revision > this.#compactedRevision) this.#compactedRevision = revision;
  }

  get compactedRevision(): Revision {
    return this.#compactedRevision;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#channel.close();
  }

  /** Writes unless there was another write in between; otherwise returns the current entry. */
  async #attempt(
    key: string,
    current: Entry | undefined,
    wanted: Write,
    signal: AbortSignal | undefined,
  ): Promise<Attempt> {
    const bytes = this.#keys.bytes(key);
    const leaseId = wanted.kind === 'put' && wanted.ttlSeconds !== undefined;
    const lease = leaseId ? await this.#leases.leaseFor(wanted.ttlSeconds!) : 0n;
    const request: Input<typeof TxnRequest> = {
      compare: [
        {
          key: bytes,
          target: compareTargets.mod,
          result: compareResults.equal,
          modRevision: current?.modRevision ?? 0,
        },
      ],
      success: [
        wanted.kind === 'put'
          ? { put: { key: bytes, value: wanted.value, lease } }
          : { deleteRange: { key: bytes } },
      ],
      failure: [{ range: { key: bytes } }],
    };
    const { succeeded, header, responses } = await this.#call('KV/Txn', TxnRequest, TxnResponse, request, {
      signal,
    });
    if (!succeeded) {
      const stored = responses[0]?.range?.kvs[0];
      return { succeeded, entry: stored && this.#keys.entry(stored) };
    }
    const modRevision = header!.revision;
    if (wanted.kind === 'delete') return { succeeded, entry: { ...current!, modRevision } };
    const entry: Entry = {
      key,
      value: wanted.value,
      createRevision: current?.createRevision ?? modRevision,
      modRevision,
      version: (current?.version ?? 0) + 1,
      ...(lease === 0n ? undefined : { leaseId: lease }),
      ...(wanted.decoded === undefined ? undefined : { decoded: wanted.decoded }),
    };
    return { succeeded, entry };
  }

  async #grantLease(ttlSeconds: number): Promise<LeaseId> {
    const { id } = await this.#call('Lease/LeaseGrant', LeaseGrantRequest, LeaseGrantResponse, {
      ttl: ttlSeconds,
    });
    return id;
  }

  #range(request: Input<typeof RangeRequest>): Promise<Decoded<typeof RangeResponse>> {
    return this.#call('KV/Range', RangeRequest, RangeResponse, request, reading);
  }

  async #call<I extends MessageTable, O extends MessageTable>(
    path: string,
    requestTable: I,
    responseTable: O,
    request: Input<I>,
    options: CallOptions = {},
  ): Promise<Decoded<O>> {
    this.#checkOpen();
    try {
      const answer = await this.#channel.unary(
        `/etcdserverpb.${path}`,
        encode(requestTable, request),
        options,
      );
      return decode(responseTable, answer);
    } catch (failure) {
      throw asStorageFailure(failure, this.#closed);
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw closedError();
  }
}
