/** The `etcd` program: flags → engine on disk → listeners, until it is asked to stop. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '@coxswain/apimachinery';
import { StorageError } from '@coxswain/storage';
import { LmdbStorage } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import { authFile } from './auth/auth-file.ts';
import { compactByRevision } from './compact-by-revision.ts';
import { FlagFailure, helpText, isTrue, parseDurationMs, parseFlags, usage } from './flags.ts';
import type { FlagValues } from './flags.ts';
import { memberOf } from './member.ts';
import { quotaBytesDefault, serveEtcd } from './server.ts';
import type { Address } from './server.ts';
import { versions } from './versions.ts';

export interface EtcdIo {
  readonly out: { write(text: string): unknown };
  readonly err: { write(text: string): unknown };
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborts when the program is to stop. */
  readonly signal: AbortSignal;
}

/** Runs until `io.signal` aborts. Resolves with the exit status: 0, 1 when it can't serve, 2 for bad flags. */
export async function runEtcd(args: readonly string[], io: EtcdIo): Promise<number> {
  if (args.some((arg) => /^--?(h|help)$/.test(arg))) {
    io.out.write(helpText());
    return 0;
  }
  if (args.some((arg) => /^--?version$/.test(arg))) {
    io.out.write(`etcd Version: ${versions.etcdserver}\n`);
    return 0;
  }
  try {
    await serve(settingsOf(parseFlags(args, io.env)), io);
    return 0;
  } catch (failure) {
    if (failure instanceof FlagFailure) {
      io.err.write(`${failure.message}\n${usage}`);
      return 2;
    }
    io.err.write(`etcd: ${reasonOf(failure)}\n`);
    return 1;
  }
}

interface Settings {
  readonly flags: FlagValues;
  readonly directory: string;
  readonly addresses: readonly Address[];
  readonly clientUrls: readonly string[];
  readonly peerUrls: readonly string[];
  readonly historyMs: number;
  readonly historyRevisions: number;
  readonly progressNotifyMs: number;
}

async function serve(settings: Settings, io: EtcdIo): Promise<void> {
  const { flags, directory, clientUrls, peerUrls } = settings;
  const log = (level: string, msg: string, more: object = {}): void => {
    io.err.write(
      `${JSON.stringify({ level, ts: new Date(systemClock.now()).toISOString(), msg, ...more })}\n`,
    );
  };
  const storage = new LmdbStorage({
    directory,
    durability: isTrue(flags.get('unsafe-no-fsync')) ? 'relaxed' : 'sync',
    historyMsMax: settings.historyMs,
    valueBytesMax: number(flags, 'max-request-bytes'),
    quotaBytes: quotaOf(flags),
  });
  const { engine } = storage;
  const compaction = compactByRevision(engine, systemClock, settings.historyRevisions);
  try {
    const listener = await serveEtcd({
      engine,
      addresses: settings.addresses,
      member: memberOf({
        name: flags.get('name')!,
        token: flags.get('initial-cluster-token')!,
        peerUrls,
        clientUrls,
      }),
      quotaBytes: quotaOf(flags),
      authKeeper: authFile(join(directory, 'auth.json')),
      scratchDirectory: directory,
      operationsMax: number(flags, 'max-txn-ops'),
      requestBytesMax: number(flags, 'max-request-bytes'),
      progressNotifyMs: settings.progressNotifyMs,
    });
    log('info', 'ready to serve client requests', {
      'data-dir': directory,
      urls: flags.get('listen-client-urls'),
    });
    await aborted(io.signal);
    log('info', 'stopping');
    await listener.close();
  } finally {
    compaction.stop();
    await storage.close();
  }
}

function settingsOf(flags: FlagValues): Settings {
  const directory = resolve(flags.get('data-dir') || `${flags.get('name')}.etcd`);
  if (existsSync(join(directory, 'member'))) {
    throw new FlagFailure(`data directory ${directory} belongs to etcd itself; choose another one`);
  }
  const cluster = list(flags.get('initial-cluster'));
  if (cluster.length > 1)
    throw new FlagFailure(`--initial-cluster names ${cluster.length} members; there is only one`);
  const notify =
    flags.get('experimental-watch-progress-notify-interval') || flags.get('watch-progress-notify-interval')!;
  return {
    flags,
    directory,
    addresses: [
      ...list(flags.get('listen-client-urls')).map((url) => addressOf(url, flags)),
      ...list(flags.get('listen-metrics-urls')).map((url) => ({
        ...addressOf(url, flags),
        isForMetrics: true,
      })),
    ],
    clientUrls: list(flags.get('advertise-client-urls')),
    peerUrls: list(flags.get('initial-advertise-peer-urls')),
    progressNotifyMs: parseDurationMs('watch-progress-notify-interval', notify),
    ...retentionOf(flags),
  };
}

function retentionOf(flags: FlagValues): { historyMs: number; historyRevisions: number } {
  const mode = flags.get('auto-compaction-mode');
  const retention = flags.get('auto-compaction-retention')!;
  const isNumber = /^\d+$/.test(retention);
  if (mode === 'revision' && isNumber) return { historyMs: 0, historyRevisions: Number(retention) };
  if (mode !== 'periodic')
    throw new FlagFailure(`auto-compaction-mode ${mode} with retention ${retention} is invalid`);
  // Bare numbers are hours.
  const text = isNumber ? `${retention}h` : retention;
  return { historyMs: parseDurationMs('auto-compaction-retention', text), historyRevisions: 0 };
}

function addressOf(text: string, flags: FlagValues): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new FlagFailure(`URL scheme must be http or https: ${text}`);
  }
  const address = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || '2379') };
  if (url.protocol === 'http:') return address;
  const [certFile, keyFile, caFile] = ['cert-file', 'key-file', 'trusted-ca-file'].map((name) =>
    flags.get(name)!,
  );
  if (!certFile || !keyFile)
    throw new FlagFailure(`TLS key/cert must be provided for the url ${text} with HTTPS scheme`);
  return {
    ...address,
    tls: {
      cert: readFileSync(certFile),
      key: readFileSync(keyFile),
      ...(caFile && { ca: readFileSync(caFile) }),
      clientCertificates: isTrue(flags.get('client-cert-auth')) || Boolean(caFile),
    },
  };
}

/** 0 stands for etcd's default; below it there is no bound. */
function quotaOf(flags: FlagValues): number {
  const bytes = number(flags, 'quota-backend-bytes');
  return bytes === 0 ? quotaBytesDefault : Math.max(bytes, 0);
}

const number = (flags: FlagValues, name: string): number => Number(flags.get(name));

const list = (text: string | undefined): string[] => (text ?? '').split(',').filter((part) => part !== '');

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

function reasonOf(failure: unknown): string {
  if (failure instanceof StorageError) return failure.message;
  const { code, address, port, message } = failure as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  return code === 'EADDRINUSE' ? `cannot listen on ${address}:${port}: address already in use` : message;
}
