/** Runs the server from its flags until the program is asked to stop. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { reportHolder } from '@coxswain/storage/directory/directory-lock.ts';
import { aborted, startedUnlessAborted, systemClock } from '@coxswain/apimachinery';
import { reportedVersion } from '@coxswain/component-base/version-flag.ts';
import type { FlagTexts } from '@coxswain/apiserver/debug/flagz.ts';
import type { KubeApiServerIo } from './io.ts';
import { createKubeApiServer } from './create.ts';
import { egressOf } from './egress/egress-of.ts';
import { checkFlags } from './flags/checks.ts';
import type { IsGiven } from './flags/authentication-settings.ts';
import type { ApiServerFlags } from './flags/effective-flags.ts';
import { settingsOf } from './flags/settings.ts';
import type { Logger } from './logging/logger.ts';
import { workersOf } from './workers/worker-count.ts';
import { loggerOf, observabilityOf } from './observability/observability-settings.ts';

/** A parsed command line. */
export interface GivenFlags {
  readonly flags: ApiServerFlags;
  /** Every flag by name. */
  readonly texts: FlagTexts;
  readonly isGiven: IsGiven;
  readonly args: readonly string[];
}

export async function serveUntilAborted(
  { flags, texts, isGiven, args }: GivenFlags,
  io: KubeApiServerIo,
): Promise<void> {
  const logger = loggerOf(flags, (text) => void io.err.write(text));
  const log = logger.line;
  const print = (text: string) => void io.out.write(text);
  checkFlags(flags);
  const egress = await egressOf(flags.egressSelectorConfigFile);
  const settings = settingsOf(flags, log, print, isGiven, egress);
  const observability = await observabilityOf(flags, logger, texts, egress?.dialOf('controlplane'));
  const starting = createKubeApiServer({
    ...settings,
    log,
    observability: { ...observability, gitVersion: reportedVersion(flags.version) },
    notifyReady: readyNotice(log),
    ...(flags.threads > 1
      ? {
          servingThreads: {
            count: flags.threads,
            settings: { kind: 'arguments', args },
            write: (text) => void io.err.write(text),
          },
        }
      : { workers: { count: workersOf(0), settings: { kind: 'arguments', args } } }),
  });
  const server = await startedUnlessAborted(io.signal, starting, (started) => started.stop());
  if (server === undefined) return;
  log(`serving on ${server.address}`);
  if (settings.dataDir !== undefined && settings.etcd === undefined)
    reportHolder(settings.dataDir, server.address);
  const debugSocket = await debugSocketOf(flags.debugSocketPath, logger);
  await aborted(io.signal);
  log('stopping');
  await server.stop();
  await debugSocket?.close();
  await observability.tracer?.flush();
}

/** Without the socket the server runs nevertheless, as upstream. */
async function debugSocketOf(path: string, { line, verbosity }: Logger) {
  if (path === '') return undefined;
  const [{ serveDebugSocket }, { lazyProfiler }] = await Promise.all([
    import('./observability/debug-socket.ts'),
    import('@coxswain/apiserver/profiles/lazy-profiler.ts'),
  ]);
  return serveDebugSocket(path, { profiler: lazyProfiler(systemClock), verbosity }).catch(
    (failure: unknown) => line(`--debug-socket-path ${path}: ${messageOf(failure)}`),
  );
}

/** Notifies systemd, if it started this process. */
function readyNotice(log: (line: string) => void): (() => void) | undefined {
  const socket = process.env['NOTIFY_SOCKET'];
  if (!socket) return undefined;
  return () => {
    import('./serving/notify-systemd.ts')
      .then(({ notifySystemd }) => notifySystemd(socket, log))
      .catch((failure: unknown) => log(`failed to notify systemd: ${messageOf(failure)}`));
  };
}
