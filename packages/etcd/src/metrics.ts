/** The contents of `/metrics`, with the names of etcd that dashboards, alerts and kubeadm use. */
import type { Engine } from '@coxswain/storage';
import { GrpcError, grpcCodeNames, grpcCodes } from '@coxswain/grpc/status.ts';
import type { Clock } from '@coxswain/apimachinery';
import {
  Metrics as MetricTable,
  type Counter,
  type Histogram,
} from '@coxswain/apimachinery/metrics/metrics.ts';
import { describeProcess } from '@coxswain/apimachinery/metrics/process-metrics.ts';
import { asEtcdFailure } from './failures.ts';
import type { Caller, Method, Methods } from '@coxswain/grpc/server/method.ts';
import type { Member } from './member.ts';
import { versions } from './versions.ts';

/** etcd's buckets for syncs and commits. */
const commitSeconds = Array.from({ length: 14 }, (_, power) => 0.001 * 2 ** power);
/** etcd's additional counters of successful calls, by method. */
const counted: Readonly<Record<string, string>> = {
  '/etcdserverpb.KV/Put': 'etcd_mvcc_put_total',
  '/etcdserverpb.KV/DeleteRange': 'etcd_mvcc_delete_total',
  '/etcdserverpb.KV/Range': 'etcd_mvcc_range_total',
  '/etcdserverpb.KV/Txn': 'etcd_mvcc_txn_total',
  '/etcdserverpb.Lease/LeaseGrant': 'etcd_debugging_lease_granted_total',
  '/etcdserverpb.Lease/LeaseRevoke': 'etcd_debugging_lease_revoked_total',
};
const writing = new Set(['Put', 'DeleteRange', 'Txn'].map((name) => `/etcdserverpb.KV/${name}`));

export interface MetricsOptions {
  readonly engine: Engine;
  readonly member: Member;
  readonly quotaBytes: number;
  readonly clock: Clock;
}

/** Counters of calls, and gauges that are read from the store on request. */
export class Metrics {
  readonly #clock: Clock;
  readonly #table = new MetricTable({ describesItself: false, showsStability: false });
  /** A commit is one sync here, so both metrics have the same values. */
  readonly #commits: readonly Histogram[];
  readonly #failedWrites: Counter;

  constructor(options: MetricsOptions) {
    this.#clock = options.clock;
    describeServer(this.#table, options);
    describeStore(this.#table, options.engine);
    describeProcess(this.#table);
    const help = 'From a write to its being durable.';
    this.#commits = ['etcd_disk_backend_commit_duration_seconds', 'etcd_disk_wal_fsync_duration_seconds'].map(
      (name) => this.#table.histogram(name, help, commitSeconds),
    );
    this.#failedWrites = this.#table.counter('etcd_server_proposals_failed_total', 'Writes that failed.');
  }

  /** Wraps the methods so that their calls are counted. */
  counting(methods: Methods): Methods {
    return Object.fromEntries(
      Object.entries(methods).map(([path, method]) => [path, this.#counted(path, method)]),
    );
  }

  text(): string {
    return this.#table.exposition();
  }

  #counted(path: string, method: Method): Method {
    const { unary, stream } = method;
    const clock = this.#clock;
    const labels = labelsOf(path);
    const started = this.#table.counter('grpc_server_started_total', 'Calls started.', labels);
    const name = counted[path];
    const done = name === undefined ? undefined : this.#table.counter(name, `Calls of ${path}.`);
    const isWriting = writing.has(path);
    const byCode = new Map<number, Counter>();
    const handled = (code: number): Counter => {
      let counter = byCode.get(code);
      if (counter === undefined) byCode.set(code, (counter = this.#handled(labels, code)));
      return counter;
    };
    const watched = async <T>(run: () => T | Promise<T>): Promise<T> => {
      started.add();
      const startMs = isWriting ? clock.monotonic() : 0;
      let code: number = grpcCodes.ok;
      try {
        return await run();
      } catch (thrown) {
        const failure = asEtcdFailure(thrown);
        code = failure instanceof GrpcError ? failure.code : grpcCodes.unknown;
        throw thrown;
      } finally {
        handled(code).add();
        if (code === grpcCodes.ok) done?.add();
        if (isWriting) this.#wrote(code, clock.monotonic() - startMs);
      }
    };
    return {
      ...method,
      ...(unary && { unary: (request: never, caller: Caller) => watched(() => unary(request, caller)) }),
      ...(stream && { stream: (call: Parameters<typeof stream>[0]) => watched(() => stream(call)) }),
    };
  }

  #handled(labels: Readonly<Record<string, string>>, code: number): Counter {
    return this.#table.counter('grpc_server_handled_total', 'Calls completed, by code.', {
      grpc_code: grpcCodeNames[code] ?? String(code),
      ...labels,
    });
  }

  #wrote(code: number, durationMs: number): void {
    if (code === grpcCodes.unavailable) this.#failedWrites.add();
    for (const commits of this.#commits) commits.observe(durationMs / 1000);
  }
}

function describeServer(table: MetricTable, { member, engine, quotaBytes }: MetricsOptions): void {
  const gauge = (name: string, help: string, read: () => number, labels: Record<string, string> = {}): void =>
    table.reading('gauge', name, help, labels, read);
  const one = () => 1;
  gauge('etcd_server_has_leader', 'Whether there is a leader: there always is.', one);
  gauge('etcd_server_is_leader', 'Whether this member leads: it always does.', one);
  gauge('etcd_server_is_learner', 'Whether this member is a learner.', () => 0);
  table.counter('etcd_server_leader_changes_seen_total', 'Leader changes observed.');
  gauge('etcd_server_proposals_committed_total', 'Revisions that are durable.', () => engine.revision);
  gauge('etcd_server_proposals_applied_total', 'Revisions that readers see.', () => engine.revision);
  gauge('etcd_server_proposals_pending', 'Writes on their way that readers wait for.', () => 0);
  gauge('etcd_server_quota_backend_bytes', 'Size at which writes are refused.', () => quotaBytes);
  gauge('etcd_server_id', 'Number of this member.', one, { server_id: member.memberId.toString(16) });
  gauge('etcd_server_version', 'Version of etcd whose API is served.', one, {
    server_version: versions.etcdserver,
  });
  gauge('etcd_cluster_version', 'Version of the cluster.', one, {
    cluster_version: versions.etcdcluster.replace(/\.\d+$/, ''),
  });
}

function describeStore(table: MetricTable, engine: Engine): void {
  const gauge = (name: string, help: string, read: () => number): void =>
    table.reading('gauge', name, help, {}, read);
  gauge('etcd_mvcc_db_total_size_in_bytes', 'Size of the database.', () => engine.size().totalBytes);
  gauge('etcd_mvcc_db_total_size_in_use_in_bytes', 'Bytes of it in use.', () => engine.size().usedBytes);
  gauge('etcd_debugging_mvcc_current_revision', 'Newest revision.', () => engine.revision);
  gauge('etcd_debugging_mvcc_compact_revision', 'Compacted revision.', () => engine.compactedRevision);
}

const streams = new Set(['Watch', 'LeaseKeepAlive', 'Observe']);

function labelsOf(path: string): Record<string, string> {
  const [, service = '', method = ''] = path.split('/');
  const type = streams.has(method) ? 'bidi_stream' : method === 'Snapshot' ? 'server_stream' : 'unary';
  return { grpc_method: method, grpc_service: service, grpc_type: type };
}
