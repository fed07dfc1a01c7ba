/** The `etcd` program: flags → engine on disk → listeners, until it is asked to stop. */
import { join } from 'node:path';
import { systemClock } from '@coxswain/apimachinery';
import { StorageError } from '@coxswain/storage';
import { LmdbStorage } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import { authFile } from './auth/auth-file.ts';
import { compactByRevision } from './compact-by-revision.ts';
import { readConfigFile } from './config-file.ts';
import { FlagFailure, helpText, parseFlags, usage } from './flags.ts';
import { memberOf } from './member.ts';
import { serveEtcd } from './server.ts';
import { logLevels, settingsOf } from './settings.ts';
import type { LogLevel, Settings } from './settings.ts';
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
    const flags = parseFlags(args, io.env);
    const file = flags.get('config-file')!;
    await serve(await settingsOf(file === '' ? flags : readConfigFile(file)), io);
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

async function serve(settings: Settings, io: EtcdIo): Promise<void> {
  const { directory, quotaBytes, requestBytesMax } = settings;
  const log = logTo(io, settings.logLevel);
  const storage = new LmdbStorage({
    directory,
    durability: settings.isSynced ? 'sync' : 'relaxed',
    historyMsMax: settings.historyMs,
    valueBytesMax: requestBytesMax,
    quotaBytes,
    log: (line) => log('info', line),
  });
  const { engine } = storage;
  const compaction = compactByRevision(engine, systemClock, settings.historyRevisions);
  try {
    const listener = await serveEtcd({
      ...settings,
      engine,
      member: memberOf({ ...settings, token: settings.clusterToken }),
      authKeeper: authFile(join(directory, 'auth.json')),
      scratchDirectory: directory,
    });
    const urls = settings.addresses.map(
      ({ host, port, tls }) => `${tls ? 'https' : 'http'}://${host}:${port}`,
    );
    log('info', 'ready to serve client requests', { 'data-dir': directory, urls: urls.join(',') });
    await aborted(io.signal);
    log('info', 'stopping');
    await listener.close();
  } finally {
    compaction.stop();
    await storage.close();
  }
}

type Log = (level: LogLevel, message: string, more?: object) => void;

const logTo =
  (io: EtcdIo, least: LogLevel): Log =>
  (level, msg, more = {}) => {
    if (logLevels.indexOf(level) < logLevels.indexOf(least)) return;
    const line = { level, ts: new Date(systemClock.now()).toISOString(), msg, ...more };
    io.err.write(`${JSON.stringify(line)}\n`);
  };

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
