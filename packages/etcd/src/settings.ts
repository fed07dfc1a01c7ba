/** Settings derived from the flags. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FlagFailure, isTrue, parseDurationMs, type FlagValues } from './flags.ts';
import { quotaBytesDefault, type Address } from './server.ts';
import type { Endpoint } from './listen.ts';
import { servingTls } from './serving-tls.ts';

export interface Settings {
  readonly name: string;
  readonly directory: string;
  readonly isSynced: boolean;
  readonly addresses: readonly Address[];
  readonly clientUrls: readonly string[];
  readonly peerUrls: readonly string[];
  readonly clusterToken: string;
  readonly historyMs: number;
  readonly historyRevisions: number;
  readonly progressNotifyMs: number;
  /** 0 means unlimited. */
  readonly quotaBytes: number;
  readonly operationsMax: number;
  readonly requestBytesMax: number;
  readonly streamsMax: number;
  readonly tokenMs: number;
  readonly logLevel: LogLevel;
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'panic', 'fatal'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The number of concurrent streams that a connection supports, whatever the flags allow. */
const streamsMax = 100_000;
/** The defaults of etcd 3.6. */
const featureGates = [
  'AllAlpha',
  'AllBeta',
  'CompactHashCheck',
  'InitialCorruptCheck',
  'LeaseCheckpoint',
  'LeaseCheckpointPersist',
  'SetMemberLocalAddr',
  'StopGRPCServiceOnDefrag',
  'TxnModeWriteWithSharedBuffer',
];

/** @throws FlagFailure */
export async function settingsOf(flags: FlagValues): Promise<Settings> {
  checkFeatureGates(flags.get('feature-gates')!);
  const number = (name: string): number => Number(flags.get(name));
  const directory = directoryOf(flags);
  const cluster = list(flags.get('initial-cluster'));
  if (cluster.length > 1)
    throw new FlagFailure(`--initial-cluster has ${cluster.length} members: only one is supported`);
  const notify =
    flags.get('experimental-watch-progress-notify-interval') || flags.get('watch-progress-notify-interval')!;
  return {
    name: flags.get('name')!,
    directory,
    isSynced: !isTrue(flags.get('unsafe-no-fsync')),
    addresses: await addressesOf(flags, directory),
    clientUrls: list(flags.get('advertise-client-urls')),
    peerUrls: list(flags.get('initial-advertise-peer-urls')),
    clusterToken: flags.get('initial-cluster-token')!,
    progressNotifyMs: parseDurationMs('watch-progress-notify-interval', notify),
    quotaBytes: quotaOf(number('quota-backend-bytes')),
    operationsMax: number('max-txn-ops'),
    requestBytesMax: number('max-request-bytes'),
    streamsMax: Math.min(number('max-concurrent-streams') || streamsMax, streamsMax),
    tokenMs: number('auth-token-ttl') * 1000,
    logLevel: logLevelOf(flags.get('log-level')!),
    ...retentionOf(flags),
  };
}

function directoryOf(flags: FlagValues): string {
  const directory = resolve(flags.get('data-dir') || `${flags.get('name')}.etcd`);
  if (existsSync(join(directory, 'member')))
    throw new FlagFailure(`data directory ${directory} belongs to etcd itself; choose another one`);
  return directory;
}

/** 0 means etcd's default; a negative value means unlimited. */
const quotaOf = (bytes: number): number => (bytes === 0 ? quotaBytesDefault : Math.max(bytes, 0));

function logLevelOf(text: string): LogLevel {
  const level = logLevels.find((each) => each === text);
  if (level === undefined) throw new FlagFailure(`unrecognized level: "${text}"`);
  return level;
}

function checkFeatureGates(text: string): void {
  for (const gate of list(text)) {
    const [name = '', value] = gate.split('=');
    if (value === undefined) throw new FlagFailure(`missing bool value for ${gate}`);
    if (!featureGates.includes(name)) throw new FlagFailure(`unrecognized feature gate: ${name}`);
    if (!/^(true|false)$/i.test(value))
      throw new FlagFailure(`invalid value of ${gate}: must be true or false`);
  }
}

function retentionOf(flags: FlagValues): { historyMs: number; historyRevisions: number } {
  const mode = flags.get('auto-compaction-mode');
  const retention = flags.get('auto-compaction-retention')!;
  const isNumber = /^\d+$/.test(retention);
  if (mode === 'revision' && isNumber) return { historyMs: 0, historyRevisions: Number(retention) };
  if (mode !== 'periodic')
    throw new FlagFailure(`auto-compaction-mode ${mode} with retention ${retention} is invalid`);
  // A number without a unit is in hours.
  const text = isNumber ? `${retention}h` : retention;
  return { historyMs: parseDurationMs('auto-compaction-retention', text), historyRevisions: 0 };
}

async function addressesOf(flags: FlagValues, directory: string): Promise<readonly Address[]> {
  const clients = [...list(flags.get('listen-client-urls')), ...list(flags.get('listen-client-http-urls'))];
  if (clients.length === 0) throw new FlagFailure('--listen-client-urls contains no URL');
  const metrics = list(flags.get('listen-metrics-urls')).map((url) => ({
    ...endpointOf(url),
    isForMetrics: true,
  }));
  const addresses = [...clients.map((url) => ({ ...endpointOf(url), isForMetrics: false })), ...metrics];
  const secure = addresses.filter(({ isSecure }) => isSecure);
  const hosts = secure.flatMap(({ endpoint }) => ('host' in endpoint ? [endpoint.host] : []));
  const tls = secure.length === 0 ? undefined : await servingTls(flags, directory, hosts);
  return addresses.map(({ isSecure, ...address }) => ({ ...address, ...(isSecure && { tls: tls! }) }));
}

/** @throws FlagFailure */
function endpointOf(text: string): { readonly endpoint: Endpoint; readonly isSecure: boolean } {
  const [, scheme, address = ''] = /^(https?|unixs?):\/\/(.*)$/.exec(text) ?? [];
  if (scheme === undefined) throw new FlagFailure(`URL scheme must be http, https, unix, or unixs: ${text}`);
  const isSecure = scheme.endsWith('s');
  if (scheme.startsWith('unix')) return { endpoint: { socketPath: address }, isSecure };
  const [authority = '', path] = address.split(/(?=\/)/, 2);
  const [, bracketed, host = bracketed, port] = /^(?:\[(.*)\]|([^:]*)):(\d+)$/.exec(authority) ?? [];
  if (port === undefined) throw new FlagFailure(`URL address does not have the form "host:port": ${text}`);
  if (path !== undefined) throw new FlagFailure(`URL must not contain a path: ${text}`);
  return { endpoint: { host: host!, port: Number(port) }, isSecure };
}

const list = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
