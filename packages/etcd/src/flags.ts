/** The flags of `etcd`, as a table: parsing, `--help` and the environment's `ETCD_…` go by it. */

export interface FlagDefinition {
  readonly name: string;
  readonly kind: 'string' | 'bool' | 'number';
  readonly default: string;
  readonly help: string;
}

/** A flag that this server has. */
const flag = (
  name: string,
  kind: FlagDefinition['kind'],
  fallback: string,
  help: string,
): FlagDefinition => ({
  name,
  kind,
  default: fallback,
  help,
});

/** What one server without peers has no use for; taken so that command lines written for etcd go on working. */
const unused = (name: string, kind: FlagDefinition['kind'], fallback: string): FlagDefinition =>
  flag(name, kind, fallback, 'Taken and not used: this server has no peers, no raft and no snapshots.');

export const flagGroups = {
  Member: [
    flag('name', 'string', 'default', 'Name of this member, for people.'),
    flag('data-dir', 'string', '', 'Directory of the data; ${name}.etcd when empty.'),
    flag(
      'listen-client-urls',
      'string',
      'http://localhost:2379',
      'Comma-separated URLs to listen on for clients.',
    ),
    flag('quota-backend-bytes', 'number', '0', 'Size at which writes are refused; 0 means 2 GiB.'),
    flag('max-txn-ops', 'number', '128', 'Operations permitted in one transaction.'),
    flag('max-request-bytes', 'number', '1572864', 'Size of the largest request that is taken.'),
    flag(
      'watch-progress-notify-interval',
      'string',
      '10m',
      'How often idle watches that ask for it hear of progress.',
    ),
    flag(
      'experimental-watch-progress-notify-interval',
      'string',
      '',
      'Older name of --watch-progress-notify-interval.',
    ),
    unused('listen-peer-urls', 'string', 'http://localhost:2380'),
    unused('wal-dir', 'string', ''),
    unused('snapshot-count', 'number', '10000'),
    unused('max-snapshots', 'number', '5'),
    unused('max-wals', 'number', '5'),
    unused('heartbeat-interval', 'number', '100'),
    unused('election-timeout', 'number', '1000'),
    unused('feature-gates', 'string', ''),
    unused('experimental-initial-corrupt-check', 'bool', 'false'),
    unused('backend-batch-interval', 'string', ''),
    unused('backend-batch-limit', 'number', '0'),
    unused('max-concurrent-streams', 'number', '4294967295'),
    unused('grpc-keepalive-min-time', 'string', '5s'),
    unused('grpc-keepalive-interval', 'string', '2h'),
    unused('grpc-keepalive-timeout', 'string', '20s'),
    unused('socket-reuse-port', 'bool', 'false'),
    unused('socket-reuse-address', 'bool', 'false'),
  ],
  Clustering: [
    flag('advertise-client-urls', 'string', 'http://localhost:2379', 'URLs that clients are told to use.'),
    flag(
      'initial-advertise-peer-urls',
      'string',
      'http://localhost:2380',
      'Part of the identity of this member.',
    ),
    flag('initial-cluster', 'string', '', 'name=URL of this member; more than one member is refused.'),
    flag('initial-cluster-token', 'string', 'etcd-cluster', 'Part of the identity of this member.'),
    flag(
      'auto-compaction-mode',
      'string',
      'periodic',
      "What the retention counts: 'periodic' or 'revision'.",
    ),
    flag(
      'auto-compaction-retention',
      'string',
      '0',
      'How much of the past is kept: 5m, 1 (hour) or revisions; 0: all.',
    ),
    unused('initial-cluster-state', 'string', 'new'),
    unused('strict-reconfig-check', 'bool', 'true'),
    unused('pre-vote', 'bool', 'true'),
    unused('initial-election-tick-advance', 'bool', 'true'),
  ],
  Security: [
    flag('cert-file', 'string', '', 'Certificate of the server, for https URLs.'),
    flag('key-file', 'string', '', 'Key of the server, for https URLs.'),
    flag('client-cert-auth', 'bool', 'false', 'Serve only clients with a certificate of --trusted-ca-file.'),
    flag('trusted-ca-file', 'string', '', 'Certificates of the authorities whose clients are trusted.'),
    unused('peer-cert-file', 'string', ''),
    unused('peer-key-file', 'string', ''),
    unused('peer-client-cert-auth', 'bool', 'false'),
    unused('peer-trusted-ca-file', 'string', ''),
  ],
  'Profiling and Monitoring': [
    flag('listen-metrics-urls', 'string', '', 'Further URLs for /metrics and /health.'),
    unused('metrics', 'string', 'basic'),
    unused('enable-pprof', 'bool', 'false'),
  ],
  Logging: [
    flag('log-level', 'string', 'info', 'debug, info, warn, error, panic or fatal.'),
    unused('logger', 'string', 'zap'),
    unused('log-outputs', 'string', 'default'),
    unused('log-format', 'string', 'json'),
  ],
  'Unsafe feature': [
    flag('unsafe-no-fsync', 'bool', 'false', 'Acknowledge writes before the disk has them.'),
    unused('force-new-cluster', 'bool', 'false'),
  ],
} as const satisfies Record<string, readonly FlagDefinition[]>;

type Flag = (typeof flagGroups)[keyof typeof flagGroups][number];
export type FlagValues = ReadonlyMap<string, string>;

const flags: ReadonlyMap<string, FlagDefinition> = new Map(
  Object.values(flagGroups)
    .flat()
    .map((each: Flag) => [each.name, each]),
);

export class FlagFailure extends Error {}

/** Values by name, defaults included; the command line goes before the environment. @throws FlagFailure */
export function parseFlags(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): FlagValues {
  const values = new Map<string, string>();
  for (const { name, default: fallback } of flags.values()) {
    values.set(name, env[`ETCD_${name.toUpperCase().replaceAll('-', '_')}`] ?? fallback);
  }
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const match = /^--?([^=-][^=]*)(?:=([^]*))?$/.exec(arg);
    if (match === null) throw new FlagFailure(`'${arg}' is not a valid flag`);
    const definition = flags.get(match[1]!);
    if (definition === undefined) throw new FlagFailure(`flag provided but not defined: -${match[1]}`);
    values.set(definition.name, checked(definition, match[2] ?? impliedValue(definition, rest)));
  }
  return values;
}

function impliedValue(definition: FlagDefinition, rest: string[]): string {
  if (definition.kind === 'bool') return 'true';
  const value = rest.shift();
  if (value === undefined) throw new FlagFailure(`flag needs an argument: -${definition.name}`);
  return value;
}

function checked({ name, kind }: FlagDefinition, value: string): string {
  const isValid =
    kind === 'string' || (kind === 'bool' ? /^(true|false|1|0|t|f)$/i.test(value) : /^-?\d+$/.test(value));
  if (isValid) return value;
  const what = kind === 'bool' ? 'boolean value' : 'value';
  throw new FlagFailure(`invalid ${what} "${value}" for flag -${name}: parse error`);
}

export const isTrue = (value: string | undefined): boolean => /^(true|1|t)$/i.test(value ?? '');

/** `5m`, `1h30m`, `10s`, `100ms`. @throws FlagFailure */
export function parseDurationMs(name: string, text: string): number {
  const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text) {
    throw new FlagFailure(`invalid value "${text}" for flag -${name}: parse error`);
  }
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * unitsMs[unit!]!, 0);
}

export const usage = `Usage:

  etcd [flags]
    Serve etcd's API v3 over the embedded engine.

  etcd --version
    Show the version of etcd whose API is served.

  etcd -h | --help
    Show this help.
`;

export function helpText(): string {
  const groups = Object.entries(flagGroups).map(([title, group]) => {
    const lines = group.map(
      ({ name, default: fallback, help }) => `  --${name} '${fallback}'\n    ${help}\n`,
    );
    return `${title}:\n${lines.join('')}`;
  });
  return `${usage}\n${groups.join('\n')}`;
}
