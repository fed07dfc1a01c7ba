/**
 * Entry of a thread that serves large requests: the same handlers over the store of the main thread. Filters don't run
 * again: authentication, authorization and queuing happened where the request arrived.
 */
import { detach } from '@coxswain/apimachinery/detach.ts';
import module from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { gzipCompression } from '@coxswain/apiserver/http/gzip.ts';
import {
  answerToPost,
  requestFromPost,
  type PostedAnswer,
  type PostedRequest,
} from '@coxswain/apiserver/posted-request.ts';
import { textForm } from '@coxswain/apiserver/negotiation/encode-object.ts';
import { ownBytes } from '@coxswain/storage/port/port.ts';
import { StoragePort } from '@coxswain/storage/port/port-storage.ts';
import { assembleKubeApiServer } from '../assemble.ts';
import type { KubeApiServerSettings, WorkerSettings } from '../settings.ts';
import type { AssemblyOptions } from '../server/options.ts';
import { parseRuntimeConfig } from '../runtime-config.ts';
import { storesOf } from '../server-stores.ts';
import { givenArguments } from './settings-of-arguments.ts';
import { lazyWebhookCaller } from '../webhooks/lazy-webhook-caller.ts';
import { MetricsForMain } from './counted-elsewhere.ts';
import { CallsThroughMain } from './posted-calls.ts';
import type { FromWorker, Job, ToWorker, WorkerData } from './request-messages.ts';

// Available since Node 22.
module.enableCompileCache?.();

/**
 * With few processors the main thread has priority, since everything waits for it. Only Linux has priorities of
 * threads.
 */
const nicer = 5;
if (process.platform === 'linux')
  setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + nicer));

const { settings, storedForm, storage, callsThroughMain } = workerData as WorkerData;
const port = parentPort!;
const post = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);
const services = { clock: systemClock, log: (line: string) => post({ kind: 'log', line }) };
const metrics = new MetricsForMain();
const stores = new StoragePort(storage);
let calls: CallsThroughMain | undefined;
const server = await assembleKubeApiServer({
  ...(await assemblyOf(settings)),
  ...services,
  storage: stores.storageFor({ group: '', resource: '' }),
  where: storesOf((resource) => stores.storageFor(resource), storedForm),
  enablePriorityAndFairness: false,
  gzip: gzipCompression(),
  metrics,
  ...(callsThroughMain && {
    webhookCaller: (resolve) => (calls = new CallsThroughMain(post, lazyWebhookCaller(resolve))),
  }),
});

async function assemblyOf(from: WorkerSettings): Promise<Omit<AssemblyOptions, 'storage'>> {
  const settings =
    from.kind === 'plain' ? from.settings : (await givenArguments(from.args, () => services.log)).settings;
  const { runtimeConfig, workers: _workers, ...given }: Omit<KubeApiServerSettings, 'storage'> = settings;
  return { authorizationModes: ['RBAC'], ...given, runtimeConfig: parseRuntimeConfig(runtimeConfig ?? '') };
}

/** The jobs in progress. */
const working = new Map<number, AbortController>();

async function served(posted: PostedRequest, signal: AbortSignal): Promise<PostedAnswer> {
  const request = requestFromPost(posted, signal, services);
  return answerToPost(request, await server.chain.aggregator.handle(request));
}

/** Sent before the response, so that whoever has the response finds it counted. */
function reportCounted(): void {
  const counted = metrics.take();
  if (counted.length > 0) post({ kind: 'counted', counted });
}

async function work(id: number, job: Job): Promise<void> {
  const abort = new AbortController();
  working.set(id, abort);
  try {
    const result =
      job.kind === 'serve'
        ? await served(job.request, abort.signal)
        : ownBytes(textForm(job.media, job.pretty, new TextDecoder().decode(job.json)));
    reportCounted();
    const { buffer } = result instanceof Uint8Array ? result : result.body;
    post({ kind: 'done', id, result }, [buffer as ArrayBuffer]);
  } catch (failure) {
    reportCounted();
    post({ kind: 'failed', id, message: messageOf(failure) });
  } finally {
    working.delete(id);
  }
}

port.on('message', (message: ToWorker) => {
  if (message.kind === 'abandon') working.get(message.id)?.abort();
  else if (message.kind === 'job') detach(work(message.id, message.job));
  else calls?.take(message);
});
post({ kind: 'ready' });
