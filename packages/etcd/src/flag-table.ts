/**
 * The flags of `etcd` 3.6 as a table, on which parsing, `--help`, environment variables and configuration files are
 * based.
 */

export interface FlagDefinition {
  readonly name: string;
  readonly kind: FlagKind;
  readonly default: string;
  readonly help: string;
}

export type FlagKind = 'string' | 'bool' | 'number' | 'duration';

/** A flag that has an effect. */
const flag = (name: string, kind: FlagKind, fallback: string, help: string): FlagDefinition => ({
  name,
  kind,
  default: fallback,
  help,
});

const isNotUsed = 'Accepted and ignored: this server has no peers, no raft and no log of its own.';
const isNotSupported = 'Not supported: this server has a single member, so there is nothing to discover.';

/** Flags that a single server without peers does not need; accepted so that command lines written for etcd work. */
const unused = (name: string, kind: FlagKind, fallback: string): FlagDefinition =>
  flag(name, kind, fallback, isNotUsed);

/** Flags that would have to change the behaviour, but do not. */
const refused = (name: string): FlagDefinition => flag(name, 'string', '', isNotSupported);

export const isRefused = ({ help }: FlagDefinition): boolean => help === isNotSupported;

/** Deprecated names that etcd 3.6 still accepts. */
const olderName = (name: string, kind: FlagKind, of: string): FlagDefinition =>
  flag(name, kind, '', `Deprecated name of --${of}.`);

export const flagGroups: Readonly<Record<string, readonly FlagDefinition[]>> = {
  Member: [
    flag('name', 'string', 'default', 'Human-readable name of this member.'),
    flag('data-dir', 'string', '', 'The data directory. Defaults to ${name}.etcd.'),
    flag(
      'listen-client-urls',
      'string',
      'http://localhost:2379',
      'Comma-separated URLs to listen on for client traffic.',
    ),
    flag(
      'listen-client-http-urls',
      'string',
      '',
      'Comma-separated additional URLs to listen on for HTTP clients.',
    ),
    flag(
      'quota-backend-bytes',
      'number',
      '0',
      'The size in bytes at which writes are rejected. 0 means 2 GiB.',
    ),
    flag('max-txn-ops', 'number', '128', 'The maximum number of operations in a transaction.'),
    flag('max-request-bytes', 'number', '1572864', 'The maximum size of a request in bytes.'),
    flag(
      'max-concurrent-streams',
      'number',
      '4294967295',
      'The maximum number of concurrent calls per connection, capped at 100,000.',
    ),
    flag(
      'watch-progress-notify-interval',
      'duration',
      '10m',
      'How often progress is sent to idle watches that request it.',
    ),
    olderName('experimental-watch-progress-notify-interval', 'duration', 'watch-progress-notify-interval'),
    flag(
      'feature-gates',
      'string',
      '',
      'Comma-separated etcd feature gates as name=true|false. They have no effect.',
    ),
    unused('listen-peer-urls', 'string', 'http://localhost:2380'),
    unused('wal-dir', 'string', ''),
    unused('snapshot-count', 'number', '10000'),
    unused('max-snapshots', 'number', '5'),
    unused('max-wals', 'number', '5'),
    unused('heartbeat-interval', 'number', '100'),
    unused('election-timeout', 'number', '1000'),
    unused('backend-bbolt-freelist-type', 'string', 'map'),
    unused('backend-batch-interval', 'duration', ''),
    unused('backend-batch-limit', 'number', '0'),
    unused('grpc-keepalive-min-time', 'duration', '5s'),
    unused('grpc-keepalive-interval', 'duration', '2h'),
    unused('grpc-keepalive-timeout', 'duration', '20s'),
    unused('socket-reuse-port', 'bool', 'false'),
    unused('socket-reuse-address', 'bool', 'false'),
    unused('memory-mlock', 'bool', 'false'),
    unused('max-learners', 'number', '1'),
    unused('raft-read-timeout', 'duration', '5s'),
    unused('raft-write-timeout', 'duration', '5s'),
    unused('bootstrap-defrag-threshold-megabytes', 'number', '0'),
    unused('compaction-batch-limit', 'number', '1000'),
    unused('compaction-sleep-interval', 'duration', '10ms'),
    unused('corrupt-check-time', 'duration', '0s'),
    unused('compact-hash-check-time', 'duration', '1m'),
    unused('downgrade-check-time', 'duration', '5s'),
    unused('snapshot-catchup-entries', 'number', '5000'),
    unused('warning-apply-duration', 'duration', '100ms'),
    unused('warning-unary-request-duration', 'duration', '300ms'),
  ],
  Clustering: [
    flag(
      'advertise-client-urls',
      'string',
      'http://localhost:2379',
      'Comma-separated URLs to advertise to clients.',
    ),
    flag(
      'initial-advertise-peer-urls',
      'string',
      'http://localhost:2380',
      'Part of the identity of this member.',
    ),
    flag('initial-cluster', 'string', '', 'This member, as name=URL. More than one member is rejected.'),
    flag('initial-cluster-token', 'string', 'etcd-cluster', 'Part of the identity of this member.'),
    flag(
      'auto-compaction-mode',
      'string',
      'periodic',
      "How to interpret --auto-compaction-retention: 'periodic' or 'revision'.",
    ),
    flag(
      'auto-compaction-retention',
      'string',
      '0',
      'How much history to keep: a duration such as 5m, a number of hours, or a number of revisions. 0 keeps all.',
    ),
    unused('initial-cluster-state', 'string', 'new'),
    unused('strict-reconfig-check', 'bool', 'true'),
    unused('pre-vote', 'bool', 'true'),
    unused('initial-election-tick-advance', 'bool', 'true'),
    unused('v2-deprecation', 'string', 'write-only'),
    unused('discovery-fallback', 'string', 'exit'),
    ...['discovery', 'discovery-srv', 'discovery-srv-name', 'discovery-proxy', 'discovery-endpoints'].map(
      refused,
    ),
    ...['discovery-token', 'discovery-cert', 'discovery-key', 'discovery-cacert', 'discovery-user'].map(
      refused,
    ),
    refused('discovery-password'),
  ],
  Security: [
    flag('cert-file', 'string', '', 'The certificate file of the server, for https URLs.'),
    flag('key-file', 'string', '', 'The private key file of the server, for https URLs.'),
    flag('client-cert-auth', 'bool', 'false', 'Require client certificates signed by --trusted-ca-file.'),
    flag('trusted-ca-file', 'string', '', 'The CA certificate file for client certificates.'),
    flag('client-crl-file', 'string', '', 'The certificate revocation list for client certificates.'),
    flag(
      'client-cert-allowed-hostname',
      'string',
      '',
      'Comma-separated host names, one of which a client certificate must contain.',
    ),
    flag('auto-tls', 'bool', 'false', 'Generate the certificate for https URLs at startup.'),
    flag('self-signed-cert-validity', 'number', '1', 'The validity of the --auto-tls certificate in years.'),
    flag('tls-min-version', 'string', 'TLS1.2', 'The minimum TLS version: TLS1.2 or TLS1.3.'),
    flag('tls-max-version', 'string', '', 'The maximum TLS version: TLS1.2 or TLS1.3.'),
    flag('cipher-suites', 'string', '', 'Comma-separated cipher suites for TLS 1.2, by their IANA names.'),
    unused('client-cert-file', 'string', ''),
    unused('client-key-file', 'string', ''),
    unused('peer-cert-file', 'string', ''),
    unused('peer-key-file', 'string', ''),
    unused('peer-client-cert-file', 'string', ''),
    unused('peer-client-key-file', 'string', ''),
    unused('peer-client-cert-auth', 'bool', 'false'),
    unused('peer-trusted-ca-file', 'string', ''),
    unused('peer-auto-tls', 'bool', 'false'),
    unused('peer-crl-file', 'string', ''),
    unused('peer-cert-allowed-cn', 'string', ''),
    unused('peer-cert-allowed-hostname', 'string', ''),
    unused('peer-skip-client-san-verification', 'bool', 'false'),
    unused('cors', 'string', '*'),
    unused('host-whitelist', 'string', '*'),
  ],
  Auth: [
    flag('auth-token-ttl', 'number', '300', 'The time to live of an unused token in seconds.'),
    unused('auth-token', 'string', 'simple'),
    unused('bcrypt-cost', 'number', '10'),
  ],
  'Profiling and Monitoring': [
    flag(
      'listen-metrics-urls',
      'string',
      '',
      'Comma-separated additional URLs for /metrics, /health, /livez and /readyz.',
    ),
    unused('metrics', 'string', 'basic'),
    unused('enable-pprof', 'bool', 'false'),
    unused('enable-distributed-tracing', 'bool', 'false'),
    unused('distributed-tracing-address', 'string', 'localhost:4317'),
    unused('distributed-tracing-service-name', 'string', 'etcd'),
    unused('distributed-tracing-instance-id', 'string', ''),
    unused('distributed-tracing-sampling-rate', 'number', '0'),
    unused('enable-grpc-gateway', 'bool', 'true'),
  ],
  Logging: [
    flag('log-level', 'string', 'info', 'The log level: debug, info, warn, error, panic or fatal.'),
    unused('logger', 'string', 'zap'),
    unused('log-outputs', 'string', 'default'),
    unused('log-format', 'string', 'json'),
    unused('enable-log-rotation', 'bool', 'false'),
    unused('log-rotation-config-json', 'string', ''),
  ],
  'Experimental names': [
    unused('experimental-initial-corrupt-check', 'bool', 'false'),
    unused('experimental-corrupt-check-time', 'duration', '0s'),
    unused('experimental-compact-hash-check-enabled', 'bool', 'false'),
    unused('experimental-compact-hash-check-time', 'duration', '1m'),
    unused('experimental-enable-lease-checkpoint', 'bool', 'false'),
    unused('experimental-enable-lease-checkpoint-persist', 'bool', 'false'),
    unused('experimental-compaction-batch-limit', 'number', '1000'),
    unused('experimental-compaction-sleep-interval', 'duration', '10ms'),
    unused('experimental-downgrade-check-time', 'duration', '5s'),
    unused('experimental-warning-apply-duration', 'duration', '100ms'),
    unused('experimental-warning-unary-request-duration', 'duration', '300ms'),
    unused('experimental-memory-mlock', 'bool', 'false'),
    unused('experimental-txn-mode-write-with-shared-buffer', 'bool', 'true'),
    unused('experimental-stop-grpc-service-on-defrag', 'bool', 'false'),
    unused('experimental-bootstrap-defrag-threshold-megabytes', 'number', '0'),
    unused('experimental-snapshot-catchup-entries', 'number', '5000'),
    unused('experimental-peer-skip-client-san-verification', 'bool', 'false'),
    unused('experimental-enable-distributed-tracing', 'bool', 'false'),
    unused('experimental-distributed-tracing-address', 'string', 'localhost:4317'),
    unused('experimental-distributed-tracing-service-name', 'string', 'etcd'),
    unused('experimental-distributed-tracing-instance-id', 'string', ''),
    unused('experimental-distributed-tracing-sampling-rate', 'number', '0'),
  ],
  'Unsafe feature': [
    flag('unsafe-no-fsync', 'bool', 'false', 'Acknowledge writes before they are on disk.'),
    unused('force-new-cluster', 'bool', 'false'),
  ],
  Configuration: [
    flag(
      'config-file',
      'string',
      '',
      'The YAML configuration file. If set, all other flags and environment variables are ignored.',
    ),
  ],
};
