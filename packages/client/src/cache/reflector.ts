/**
 * Keeps something up to date with a resource: list, then watch, and list again when the watch can't go on.
 * Never gives up before it is told to stop; failures are reported and followed by growing delays.
 */

import {
  here,
  isStatusError,
  runStep,
  type Clock,
  type KubeObject,
  type Random,
  type StepObserver,
  type WatchEvent,
} from '@coxswain/apimachinery';
import type { ResourceClient } from '../resource/resource-client.ts';
import { BackOff, reflectorBackOff } from '../rest/back-off.ts';
import { startIdleTimeout, type IdleTimeout } from './idle-timeout.ts';

/** @internal */
export interface ReflectorTarget<T extends KubeObject> {
  /** All there is; what is not among it is gone. */
  replace(objects: readonly T[], resourceVersion: string): void;
  apply(events: readonly WatchEvent<T>[]): void;
  /** The server was heard of: what is known is what it had then. */
  inStep?(): void;
}

/**
 * Where objects come from: a {@link ResourceClient}, or what reads them in another way.
 * @internal
 */
export type ListWatch<T extends KubeObject> = Pick<ResourceClient<T>, 'list' | 'watchBatches' | 'isRemote'>;

/** @internal */
export interface ReflectorOptions<T extends KubeObject> {
  readonly resource: ListWatch<T>;
  readonly target: ReflectorTarget<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** One watch that begins with all objects, instead of list and watch. */
  readonly watchList?: boolean;
  /** How long a request may be silent before it is abandoned. Defaults to {@link idleTimeoutDefaultMs}. */
  readonly idleTimeoutMs?: number;
  readonly onError: (error: unknown) => void;
  readonly observer?: StepObserver | undefined;
}

/** A watch is asked to end after this, up to twice as long: so load spreads over the servers. */
const watchMinMs = 5 * 60_000;

/** A watch that ends so soon with nothing to tell is a failure, lest it is opened again and again. */
const shortWatchMs = 1000;

/**
 * Servers send a bookmark every minute: a watch that is silent for longer has lost its server.
 * @internal
 */
export const idleTimeoutDefaultMs = 90_000;

/** A list may take so many times as long: a large one is long on its way. */
const listShare = 3;

/**
 * Resolves when the signal is aborted, and not before.
 * @internal
 */
export async function reflect<T extends KubeObject>(options: ReflectorOptions<T>): Promise<void> {
  const backOff = new BackOff(options.clock, options.random, reflectorBackOff);
  // At first the cache of the server is good enough, whatever it holds.
  const position: Position = { listFrom: '0', seen: '', barrenLists: 0 };
  while (!options.signal.aborted) {
    try {
      await listAndWatch(options, position, backOff);
    } catch (error) {
      if (options.signal.aborted) return;
      options.onError(error);
      // A server that has not come as far as we have can't answer: another one, or the newest state, will do.
      position.listFrom = isExpired(error) || isTooFarAhead(error) ? '' : position.seen || '0';
      await pause(options, backOff.next());
    }
  }
}

interface Position {
  /** Where to list: `0` any, empty the newest, else not older than this. Never goes back in time. */
  listFrom: string;
  /** The newest resourceVersion that was seen. */
  seen: string;
  /** Lists in a row whose watches brought nothing before they expired. */
  barrenLists: number;
}

async function listAndWatch<T extends KubeObject>(
  options: ReflectorOptions<T>,
  position: Position,
  backOff: BackOff,
): Promise<void> {
  const { target } = options;
  const selection = {
    ...(options.labelSelector === undefined ? {} : { labelSelector: options.labelSelector }),
    ...(options.fieldSelector === undefined ? {} : { fieldSelector: options.fieldSelector }),
  };
  if (options.watchList) position.seen = await streamList(options, selection);
  else {
    const { listFrom } = position;
    const list = await runStep(options.observer, here`informer/list`, () =>
      unlessSilent(options, (signal) =>
        options.resource.list({
          ...selection,
          signal,
          ...(listFrom === '' ? {} : { resourceVersion: listFrom }),
        }),
      ),
    );
    position.seen = list.metadata.resourceVersion ?? '';
    target.replace(list.items, position.seen);
  }
  target.inStep?.();
  const listed = position.seen;
  await watchFrom(options, selection, position, backOff);
  if (options.signal.aborted) return;
  position.listFrom = '';
  // A past that is gone as soon as it was listed must not be asked for again and again at once.
  position.barrenLists = position.seen === listed ? position.barrenLists + 1 : 0;
  if (position.barrenLists > 1) await pause(options, backOff.next());
}

type Selection = {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
};

/** Watches, one connection after the other, until the server says that the past is gone. */
async function watchFrom<T extends KubeObject>(
  options: ReflectorOptions<T>,
  selection: Selection,
  position: Position,
  backOff: BackOff,
): Promise<void> {
  while (!options.signal.aborted) {
    try {
      await watchOnce(options, selection, position, backOff);
    } catch (error) {
      if (options.signal.aborted) return;
      options.onError(error);
      if (isExpired(error)) return;
      // Overloaded or unreachable: the state is still good. Anything else: start over.
      if (!isTransient(error)) throw error;
      await pause(options, backOff.next());
    }
  }
}

async function watchOnce<T extends KubeObject>(
  options: ReflectorOptions<T>,
  selection: Selection,
  position: Position,
  backOff: BackOff,
): Promise<void> {
  const { clock, random, target } = options;
  const startedMs = clock.monotonic();
  const idle = idleTimeoutOf(options);
  let received = 0;
  try {
    const batches = options.resource.watchBatches({
      ...selection,
      signal: idle.signal,
      resourceVersion: position.seen,
      allowWatchBookmarks: true,
      timeoutSeconds: Math.floor((watchMinMs * (1 + random.next())) / 1000),
      onOpen: () => {
        idle.touch();
        target.inStep?.();
      },
    });
    for await (const events of batches) {
      idle.touch();
      target.apply(events);
      target.inStep?.();
      if (received === 0) backOff.reset();
      received += events.length;
      position.seen = events.at(-1)!.object.metadata.resourceVersion ?? position.seen;
    }
    // A stream that was cancelled may just end.
    idle.signal.throwIfAborted();
  } finally {
    idle.end();
  }
  if (received === 0 && !options.signal.aborted && clock.monotonic() - startedMs < shortWatchMs) {
    throw new Error('very short watch: it ended within a second and without an event');
  }
}

/** Reads the objects that a watch begins with, up to the bookmark that ends them. */
async function streamList<T extends KubeObject>(
  options: ReflectorOptions<T>,
  selection: Selection,
): Promise<string> {
  const objects = new Map<string, T>();
  const idle = idleTimeoutOf(options);
  try {
    const batches = options.resource.watchBatches({
      ...selection,
      signal: idle.signal,
      resourceVersion: '',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
      sendInitialEvents: true,
    });
    for await (const events of batches) {
      idle.touch();
      const version = addInitial(objects, events);
      if (version === undefined) continue;
      options.target.replace([...objects.values()], version);
      return version;
    }
  } finally {
    idle.end();
  }
  throw new Error('the watch ended before its initial events did');
}

/** The version of the bookmark that ends the initial events, when it is among these. */
function addInitial<T extends KubeObject>(
  objects: Map<string, T>,
  events: readonly WatchEvent<T>[],
): string | undefined {
  for (const { type, object } of events) {
    const { uid = '', annotations, resourceVersion = '' } = object.metadata;
    if (type === 'BOOKMARK') {
      if (annotations?.['k8s.io/initial-events-end'] === 'true') return resourceVersion;
    } else if (type === 'DELETED') objects.delete(uid);
    else objects.set(uid, object);
  }
  return undefined;
}

const isExpired = (error: unknown): boolean =>
  isStatusError(error) && (error.reason === 'Expired' || error.reason === 'Gone' || error.code === 410);

/** `Too large resource version`: the server that answers lags behind the one that was heard of. */
const isTooFarAhead = (error: unknown): boolean =>
  isStatusError(error) &&
  error.status.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') === true;

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

/** In one process nothing can be cut off. */
function idleTimeoutOf<T extends KubeObject>(options: ReflectorOptions<T>, share = 1): IdleTimeout {
  const { clock, signal, idleTimeoutMs = idleTimeoutDefaultMs, resource } = options;
  return startIdleTimeout(clock, signal, resource.isRemote ? idleTimeoutMs * share : undefined);
}

/** A list is heard of when it is whole. */
async function unlessSilent<T extends KubeObject, R>(
  options: ReflectorOptions<T>,
  request: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const idle = idleTimeoutOf(options, listShare);
  try {
    return await request(idle.signal);
  } finally {
    idle.end();
  }
}
