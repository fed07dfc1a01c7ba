/** Entry of a serving thread: a whole API server over the store of the main thread. */
import module from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@coxswain/apimachinery';
import { nobody, stepsInSlices } from '@coxswain/apimachinery/slices.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { FollowerStorage } from '@coxswain/storage/port/follower-storage.ts';
import { createKubeApiServer, type KubeApiServer } from './create.ts';
import type { KubeApiServerSettings } from './settings.ts';
import { workersOf } from './workers/worker-count.ts';
import { givenArguments } from './workers/settings-of-arguments.ts';
import { loggerOf, observabilityOf } from './observability/observability-settings.ts';
import { MainThread } from './threads/main-thread.ts';
import { shareOf } from './threads/shared-limits.ts';
import { ThreadCalls, type CallMessage } from './threads/thread-calls.ts';
import type { ServingThreadData, ToMainThread, ToServingThread } from './threads/thread-messages.ts';

// Available since Node 22.
module.enableCompileCache?.();

const data = workerData as ServingThreadData;
let server: KubeApiServer | undefined;
const port = parentPort!;
const send = (message: CallMessage): void => port.postMessage(message);
const calls = new ThreadCalls<ToMainThread, ToServingThread>(send, async (asked) => {
  if (asked.kind === 'metrics')
    return server === undefined ? '' : stepsInSlices(server.metrics.expositionInSteps(), systemClock, nobody);
  if (asked.kind === 'reset metrics') return server?.metrics.reset();
  await server?.stop();
});
port.on('message', (message: CallMessage) => calls.receive(message));

try {
  server = await createKubeApiServer(await settingsOf(data));
  await calls.ask({ kind: 'serving' });
} catch (failure) {
  await calls.ask({ kind: 'failed', message: messageOf(failure) });
  process.exit(1);
}

async function settingsOf({
  args,
  index,
  count,
  securePort,
  storage,
  auditPolicy,
}: ServingThreadData): Promise<KubeApiServerSettings> {
  const write = (text: string): void => void calls.ask({ kind: 'log', text }).catch(() => undefined);
  const { flags, egress, settings } = await givenArguments(args, (given) => loggerOf(given, write).line);
  const logger = loggerOf(flags, write);
  const followed = storage && (await FollowerStorage.open(storage));
  const mainThread = new MainThread(calls, systemClock, followed);
  const limits = settings.limits && shareOf(settings.limits, index, count);
  return {
    ...settings,
    log: logger.line,
    observability: await observabilityOf(flags, logger, {}, egress?.dialOf('controlplane')),
    ...(followed && { storage: followed }),
    ...(limits && { limits }),
    ...(auditPolicy && { audit: { policy: auditPolicy, backend: () => mainThread.auditBackend } }),
    mainThread,
    securePort,
    sharesPort: true,
    workers: {
      count: Math.max(1, Math.floor(workersOf(0) / count)),
      settings: { kind: 'arguments', args },
    },
  };
}
