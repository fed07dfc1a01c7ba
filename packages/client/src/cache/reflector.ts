/**
 * Keeps something up to date with a resource: list, then watch, and list again when the watch can't go on.
 * Never gives up before it is told to stop; failures are reported and followed by growing delays.
 */

import { isStatusError, runStep } from '@coxswain/apimachinery';
import type { Clock, KubeObject, Random, StepObserver, WatchEvent } from '@coxswain/apimachinery';
import type { ResourceClient } from '../resource/resource-client.ts';
import { BackOff, reflectorBackOff } from '../rest/back-off.ts';

export interface ReflectorTarget<T extends KubeObject> {
  /** All there is; what is not among it is gone. */
  replace(objects: readonly T[], resourceVersion: string): void;
  apply(events: readonly WatchEvent<T>[]): void;
}

export interface ReflectorOptions<T extends KubeObject> {
  readonly resource: ResourceClient<T>;
  readonly target: ReflectorTarget<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** One watch that begins with all objects, instead of list and watch. */
  readonly watchList?: boolean;
  readonly onError: (error: unknown) => void;
  readonly observer?: StepObserver | undefined;
}

/** A watch is asked to end after this, up to twice as long: so load spreads over the servers. */
const watchMinMs = 5 * 60_000;

/** A watch that ends so soon with nothing to tell is a failure, lest it is opened again and again. */
const shortWatchMs = 1000;

/** Resolves when the signal is aborted, and not before. */
export async function reflect<T extends KubeObject>(options: ReflectorOptions<T>): Promise<void> {
  const backOff = new BackOff(options.clock, options.random, reflectorBackOff);
  // From here on the cache of the server is good enough; after an expired watch, it isn't.
  let position: Position = { version: '0' };
  while (!options.signal.aborted) {
    try {
      position = await listAndWatch(options, position, backOff);
    } catch (error) {
      if (options.signal.aborted) return;
      options.onError(error);
      position = isExpired(error) ? { version: '' } : position;
      await pause(options, backOff.next());
    }
  }
}

interface Position {
  /** Where to list: `0` any, empty the newest, else not older than this. */
  readonly version: string;
}

async function listAndWatch<T extends KubeObject>(
  options: ReflectorOptions<T>,
  from: Position,
  backOff: BackOff,
): Promise<Position> {
  const selection = {
    ...(options.labelSelector === undefined ? {} : { labelSelector: options.labelSelector }),
    ...(options.fieldSelector === undefined ? {} : { fieldSelector: options.fieldSelector }),
    signal: options.signal,
  };
  const state = { version: '' };
  if (options.watchList) state.version = await streamList(options, selection);
  else {
    const list = await runStep(options.observer, 'informer list', () =>
      options.resource.list({
        ...selection,
        ...(from.version === '' ? {} : { resourceVersion: from.version }),
      }),
    );
    state.version = list.metadata.resourceVersion ?? '';
    options.target.replace(list.items, state.version);
  }
  backOff.reset();
  await watchFrom(options, selection, state, backOff);
  return { version: '' };
}

type Selection = {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly signal: AbortSignal;
};

/** Watches, one connection after the other, until the server says that the past is gone. */
async function watchFrom<T extends KubeObject>(
  options: ReflectorOptions<T>,
  selection: Selection,
  state: { version: string },
  backOff: BackOff,
): Promise<void> {
  while (!options.signal.aborted) {
    try {
      const startedMs = options.clock.monotonic();
      let received = 0;
      const timeoutSeconds = Math.floor((watchMinMs * (1 + options.random.next())) / 1000);
      const batches = options.resource.watchBatches({
        ...selection,
        resourceVersion: state.version,
        allowWatchBookmarks: true,
        timeoutSeconds,
      });
      for await (const events of batches) {
        options.target.apply(events);
        received += events.length;
        state.version = events.at(-1)!.object.metadata.resourceVersion ?? state.version;
      }
      if (received === 0 && !options.signal.aborted && options.clock.monotonic() - startedMs < shortWatchMs) {
        throw new Error('very short watch: it ended within a second and without an event');
      }
    } catch (error) {
      if (options.signal.aborted) return;
      if (isExpired(error)) return;
      options.onError(error);
      // Overloaded or unreachable: the state is still good. Anything else: start over.
      if (!isTransient(error)) throw error;
      await pause(options, backOff.next());
      continue;
    }
  }
}

/** Reads the objects that a watch begins with, up to the bookmark that ends them. */
async function streamList<T extends KubeObject>(
  options: ReflectorOptions<T>,
  selection: Selection,
): Promise<string> {
  const objects = new Map<string, T>();
  const batches = options.resource.watchBatches({
    ...selection,
    resourceVersion: '',
    resourceVersionMatch: 'NotOlderThan',
    allowWatchBookmarks: true,
    sendInitialEvents: true,
  });
  for await (const events of batches) {
    for (const { type, object } of events) {
      const { uid = '', annotations, resourceVersion = '' } = object.metadata;
      if (type === 'BOOKMARK') {
        if (annotations?.['k8s.io/initial-events-end'] !== 'true') continue;
        options.target.replace([...objects.values()], resourceVersion);
        return resourceVersion;
      }
      if (type === 'DELETED') objects.delete(uid);
      else objects.set(uid, object);
    }
  }
  throw new Error('the watch ended before its initial events did');
}

const isExpired = (error: unknown): boolean =>
  isStatusError(error) && (error.reason === 'Expired' || error.reason === 'Gone' || error.code === 410);

/** No answer at all, or the answer that there is too much to do. */
const isTransient = (error: unknown): boolean =>
  !isStatusError(error) || error.code === 429 || error.code >= 500;

async function pause<T extends KubeObject>(
  { clock, signal }: ReflectorOptions<T>,
  delayMs: number,
): Promise<void> {
  try {
    await clock.sleep(delayMs, signal);
  } catch {
    // Told to stop; the loop sees it.
  }
}
