/** Flags → engine on disk → listeners, until the program is asked to stop. */
import { join } from 'node:path';
import { aborted, systemClock } from '@coxswain/apimachinery';
import { reportHolder } from '@coxswain/storage/directory/directory-lock.ts';
import { LmdbStorage } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';
import { authFile } from './auth/auth-file.ts';
import { compactByRevision } from './compact-by-revision.ts';
import { readConfigFile } from './config-file.ts';
import type { FlagValues } from './flags.ts';
import { memberOf } from './member.ts';
import { serveEtcd, type Address } from './server.ts';
import { logLevels, settingsOf, type LogLevel } from './settings.ts';

export interface EtcdIo {
  readonly out: { write(text: string): unknown };
  readonly err: { write(text: string): unknown };
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Aborts when the program should stop. */
  readonly signal: AbortSignal;
}

export async function serve(flags: FlagValues, io: EtcdIo): Promise<void> {
  const file = flags.get('config-file')!;
  const settings = await settingsOf(file === '' ? flags : readConfigFile(file));
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
    const urls = settings.addresses.map(urlOf);
    reportHolder(directory, urls[0]);
    log('info', 'ready to serve client requests', { 'data-dir': directory, urls: urls.join(',') });
    await aborted(io.signal);
    log('info', 'stopping');
    await listener.close();
  } finally {
    compaction.stop();
    await storage.close();
  }
}

function urlOf({ endpoint, tls }: Address): string {
  if ('socketPath' in endpoint) return `${tls ? 'unixs' : 'unix'}://${endpoint.socketPath}`;
  return `${tls ? 'https' : 'http'}://${endpoint.host}:${endpoint.port}`;
}

type Log = (level: LogLevel, message: string, more?: object) => void;

const logTo =
  (io: EtcdIo, least: LogLevel): Log =>
  (level, msg, more = {}) => {
    if (logLevels.indexOf(level) < logLevels.indexOf(least)) return;
    const line = { level, ts: new Date(systemClock.now()).toISOString(), msg, ...more };
    io.err.write(`${JSON.stringify(line)}\n`);
  };
