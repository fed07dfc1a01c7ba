/** What `/metrics` tells, by the names of etcd that dashboards, alerts and kubeadm go by. */
import type { Engine } from '@coxswain/storage';
import { GrpcError, grpcCodes } from '@coxswain/storage/etcd/grpc-status.ts';
import type { Clock } from '@coxswain/apimachinery';
import { asEtcdFailure } from './failures.ts';
import type { Caller, Method, Methods } from './grpc/method.ts';
import { Histogram, family } from './exposition.ts';
import type { Sample } from './exposition.ts';
import type { Member } from './member.ts';
import { versions } from './versions.ts';

/** etcd's buckets for syncs and commits. */
const commitSeconds = Array.from({ length: 14 }, (_, power) => 0.001 * 2 ** power);
const codeNames = new Map<number, string>(
  Object.entries(grpcCodes).map(([name, code]) => [code, name[0]!.toUpperCase() + name.slice(1)]),
);
/** By method, what etcd counts besides. */
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

/** Calls as they were answered, and the state of the store when it is asked for. */
export class Metrics {
  readonly #options: MetricsOptions;
  /** By method and code. */
  readonly #handled = new Map<string, Map<number, number>>();
  readonly #started = new Map<string, number>();
  readonly #commits = new Histogram(commitSeconds);

  constructor(options: MetricsOptions) {
    this.#options = options;
  }

  /** The same methods, counted. */
  counting(methods: Methods): Methods {
    return Object.fromEntries(
      Object.entries(methods).map(([path, method]) => [path, this.#counted(path, method)]),
    );
  }

  text(): string {
    return [...this.#server(), ...this.#store(), ...this.#calls(), ...ofProcess()].join('');
  }

  #counted(path: string, method: Method): Method {
    const { unary, stream } = method;
    const { clock } = this.#options;
    const codes = new Map<number, number>();
    this.#handled.set(path, codes);
    this.#started.set(path, 0);
    const isWriting = writing.has(path);
    const watched = async <T>(run: () => T | Promise<T>): Promise<T> => {
      this.#started.set(path, this.#started.get(path)! + 1);
      const startMs = isWriting ? clock.monotonic() : 0;
      let code: number = grpcCodes.ok;
      try {
        return await run();
      } catch (thrown) {
        const failure = asEtcdFailure(thrown);
        code = failure instanceof GrpcError ? failure.code : grpcCodes.unknown;
        throw thrown;
      } finally {
        codes.set(code, (codes.get(code) ?? 0) + 1);
        if (isWriting) this.#commits.observe((clock.monotonic() - startMs) / 1000);
      }
    };
    return {
      ...method,
      ...(unary && { unary: (request: never, caller: Caller) => watched(() => unary(request, caller)) }),
      ...(stream && { stream: (call: Parameters<typeof stream>[0]) => watched(() => stream(call)) }),
    };
  }

  #server(): readonly string[] {
    const { member, engine, quotaBytes } = this.#options;
    const { revision } = engine;
    const gauge = (name: string, help: string, value: number): string =>
      family(name, 'gauge', help, [{ value }]);
    return [
      gauge('etcd_server_has_leader', 'Whether there is a leader: there always is.', 1),
      gauge('etcd_server_is_leader', 'Whether this member leads: it always does.', 1),
      gauge('etcd_server_is_learner', 'Whether this member is a learner.', 0),
      family('etcd_server_leader_changes_seen_total', 'counter', 'Changes of the leader.', [{ value: 0 }]),
      gauge('etcd_server_proposals_committed_total', 'Revisions that are durable.', revision),
      gauge('etcd_server_proposals_applied_total', 'Revisions that readers see.', revision),
      gauge('etcd_server_proposals_pending', 'Writes on their way that readers wait for.', 0),
      family('etcd_server_proposals_failed_total', 'counter', 'Writes that could not be stored.', [
        { value: this.#failedWrites() },
      ]),
      gauge('etcd_server_quota_backend_bytes', 'Size at which writes are refused.', quotaBytes),
      family('etcd_server_id', 'gauge', 'Number of this member.', [
        { labels: { server_id: member.memberId.toString(16) }, value: 1 },
      ]),
      family('etcd_server_version', 'gauge', 'Version of etcd whose API is served.', [
        { labels: { server_version: versions.etcdserver }, value: 1 },
      ]),
      family('etcd_cluster_version', 'gauge', 'Version of the cluster.', [
        { labels: { cluster_version: versions.etcdcluster.replace(/\.\d+$/, '') }, value: 1 },
      ]),
    ];
  }

  #store(): readonly string[] {
    const { engine } = this.#options;
    const { totalBytes, usedBytes } = engine.size();
    const gauge = (name: string, help: string, value: number): string =>
      family(name, 'gauge', help, [{ value }]);
    return [
      gauge('etcd_mvcc_db_total_size_in_bytes', 'Size of the database.', totalBytes),
      gauge('etcd_mvcc_db_total_size_in_use_in_bytes', 'Bytes of it in use.', usedBytes),
      gauge('etcd_debugging_mvcc_current_revision', 'Newest revision.', engine.revision),
      gauge('etcd_debugging_mvcc_compact_revision', 'Compacted revision.', engine.compactedRevision),
      // One commit is one sync here: both names tell the same.
      this.#commits.text('etcd_disk_backend_commit_duration_seconds', 'From a write to its being durable.'),
      this.#commits.text('etcd_disk_wal_fsync_duration_seconds', 'From a write to its being durable.'),
    ];
  }

  #calls(): readonly string[] {
    const totals = Object.entries(counted).map(([path, name]) =>
      family(name, 'counter', `Calls of ${path}.`, [
        { value: this.#handled.get(path)?.get(grpcCodes.ok) ?? 0 },
      ]),
    );
    const started = [...this.#started].map(([path, value]): Sample => ({ labels: labelsOf(path), value }));
    const handled = [...this.#handled].flatMap(([path, codes]) =>
      [...codes].map(([code, value]): Sample => ({
        labels: { grpc_code: codeNames.get(code) ?? String(code), ...labelsOf(path) },
        value,
      })),
    );
    return [
      ...totals,
      family('grpc_server_started_total', 'counter', 'Calls that were begun.', started),
      family('grpc_server_handled_total', 'counter', 'Calls that were answered, by code.', handled),
    ];
  }

  #failedWrites(): number {
    let count = 0;
    for (const path of writing) count += this.#handled.get(path)?.get(grpcCodes.unavailable) ?? 0;
    return count;
  }
}

const streams = new Set(['Watch', 'LeaseKeepAlive', 'Observe']);

function labelsOf(path: string): Record<string, string> {
  const [, service = '', method = ''] = path.split('/');
  const type = streams.has(method) ? 'bidi_stream' : method === 'Snapshot' ? 'server_stream' : 'unary';
  return { grpc_method: method, grpc_service: service, grpc_type: type };
}

function ofProcess(): readonly string[] {
  const { user, system } = process.cpuUsage();
  const startedSeconds = Math.round((performance.timeOrigin / 1000) * 100) / 100;
  return [
    family('process_cpu_seconds_total', 'counter', 'CPU time of this process.', [
      { value: (user + system) / 1e6 },
    ]),
    family('process_resident_memory_bytes', 'gauge', 'Memory of this process.', [
      { value: process.memoryUsage.rss() },
    ]),
    family('process_start_time_seconds', 'gauge', 'When this process began.', [{ value: startedSeconds }]),
  ];
}
