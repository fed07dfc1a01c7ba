/** Entry of a serving thread: a whole API server over the store of the main thread. */
import module from 'node:module';
import { parentPort, workerData, type Transferable } from 'node:worker_threads';
import { systemClock } from '@coxswain/apimachinery';
import { nobody, stepsInSlices } from '@coxswain/apimachinery/slices.ts';
import { inFlightDefaults } from '@coxswain/apiserver/filters/max-in-flight.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { FollowerStorage } from '@coxswain/storage/port/follower-storage.ts';
import { createKubeApiServer, type KubeApiServer } from './create.ts';
import { networkForwarder } from './proxy/network-forwarder.ts';
import { plainSettings, type KubeApiServerSettings } from './settings.ts';
import { workersOf } from './workers/worker-count.ts';
import { givenArguments } from './workers/settings-of-arguments.ts';
import { loggerOf, observabilityOf } from './observability/observability-settings.ts';
import { MainThread } from './threads/main-thread.ts';
import { shareOf } from './threads/shared-limits.ts';
import { lazyWebhookCaller } from './webhooks/lazy-webhook-caller.ts';
import type { CallsThroughMain } from './workers/posted-calls.ts';
import { ThreadCalls, type CallMessage } from './threads/thread-calls.ts';
import type { ServingThreadData, ToMainThread, ToServingThread } from './threads/thread-messages.ts';

// Available since Node 22.
module.enableCompileCache?.();

const data = workerData as ServingThreadData;
let server: KubeApiServer | undefined;
const port = parentPort!;
const send = (message: CallMessage, transfer: Transferable[]): void => port.postMessage(message, transfer);
let webhooks: CallsThroughMain | undefined;
const calls = new ThreadCalls<ToMainThread, ToServingThread>(send, async (asked) => {
  if (asked.kind === 'metrics')
    return server === undefined ? '' : stepsInSlices(server.metrics.expositionInSteps(), systemClock, nobody);
  if (asked.kind === 'webhook') return webhooks?.take(asked.message);
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

async function settingsOf(data: ServingThreadData): Promise<KubeApiServerSettings> {
  const { settings: source, index, count, securePort, storage, auditPolicy } = data;
  const write = (text: string): void => void calls.ask({ kind: 'log', text }).catch(() => undefined);
  const settings = await (source.kind === 'plain'
    ? { ...source.settings, log: write }
    : fromFlags(source.args, write));
  const followed = storage && (await FollowerStorage.open(storage));
  const groups = source.kind === 'plain' ? source.groupsOfMain : undefined;
  const mainThread = new MainThread(calls, systemClock, followed, groups);
  return {
    ...settings,
    ...(source.kind === 'plain' && {
      forwarder: mainThread.forwarder(networkForwarder({})),
      webhookCaller: (resolve) => (webhooks = mainThread.webhookCaller(lazyWebhookCaller(resolve))),
    }),
    ...(followed && { storage: followed }),
    limits: shareOf(settings.limits ?? inFlightDefaults, index, count),
    ...(auditPolicy && { audit: { policy: auditPolicy, backend: () => mainThread.auditBackend } }),
    mainThread,
    securePort,
    sharesPort: true,
    workers: {
      count: Math.max(1, Math.floor(workersOf(0) / count)),
      settings:
        source.kind === 'plain' ? { kind: 'plain', settings: plainSettings(source.settings) } : source,
      callsWebhooks: source.kind === 'plain',
    },
  };
}

async function fromFlags(
  args: readonly string[],
  write: (text: string) => void,
): Promise<KubeApiServerSettings> {
  const { flags, egress, settings } = await givenArguments(args, (given) => loggerOf(given, write).line);
  const logger = loggerOf(flags, write);
  const observability = await observabilityOf(flags, logger, {}, egress?.dialOf('controlplane'));
  return { ...settings, log: logger.line, observability };
}
