/**
 * Keeps a target in sync with a resource: lists, then watches, and lists again when the watch can't continue. It never
 * gives up until it is stopped; failures are reported and followed by growing delays.
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
import type { ResourceClient, WatchOptions } from '../resource/resource-client.ts';
import { BackOff, reflectorBackOff } from '../rest/back-off.ts';
import { startIdleTimeout, type IdleTimeout } from './idle-timeout.ts';

/** @internal */
export interface ReflectorTarget<T extends KubeObject> {
  /** Replaces all objects; missing ones have been deleted. */
  replace(objects: readonly T[], resourceVersion: string): void;
  apply(events: readonly WatchEvent<T>[]): void;
  /** The server has responded, so the contents are as current as it was then. */
  inStep?(): void;
}

/**
 * The source of objects: a {@link ResourceClient}, or another way to read them.
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
  /** Uses a single watch that starts with all objects, instead of list and watch (KEP-3157). */
  readonly watchList?: boolean;
  /** How long a request may be silent before it is abandoned. Defaults to {@link idleTimeoutDefaultMs}. */
  readonly idleTimeoutMs?: number;
  readonly onError: (error: unknown) => void;
  readonly observer?: StepObserver | undefined;
}

/** A watch is asked to end after this time, up to twice as long, so that load spreads over the servers. */
const watchMinMs = 5 * 60_000;

/** A watch that ends this soon without any event is a failure, so that it isn't reopened in a tight loop. */
const shortWatchMs = 1000;

/**
 * Servers send a bookmark every minute: a watch that is silent for longer has lost its server.
 * @internal
 */
export const idleTimeoutDefaultMs = 90_000;

/** A list may take this many times as long, since a large one takes time to transfer. */
const listShare = 3;

/**
 * Resolves when the signal is aborted, never earlier.
 * @internal
 */
export async function reflect<T extends KubeObject>(options: ReflectorOptions<T>): Promise<void> {
  const backOff = new BackOff(options.clock, options.random, reflectorBackOff);
  // Initially the server's cache is good enough, whatever its state.
  const position: Position = { listFrom: '0', seen: '', barrenLists: 0 };
  while (!options.signal.aborted) {
    try {
      await listAndWatch(options, position, backOff);
    } catch (error) {
      if (options.signal.aborted) return;
      options.onError(error);
      // The server is behind the version seen, so another server, or the latest state, must answer.
      position.listFrom = isExpired(error) || isTooFarAhead(error) ? '' : position.seen || '0';
      await pause(options, backOff.next());
    }
  }
}

interface Position {
  /**
   * The version to list at: `0` for any, empty for the latest, otherwise not older than this. Never goes back in time.
   */
  listFrom: string;
  /** The latest resourceVersion seen. */
  seen: string;
  /** Consecutive lists whose watches expired without any event. */
  barrenLists: number;
}

async function listAndWatch<T extends KubeObject>(
  options: ReflectorOptions<T>,
  position: Position,
  backOff: BackOff,
): Promise<void> {
  const watch = options.watchList === true ? await watchedList(options, position) : undefined;
  if (watch === undefined) await list(options, position);
  const listed = position.seen;
  await watchFrom(options, position, backOff, watch);
  if (options.signal.aborted) return;
  position.listFrom = '';
  // If a version expires as soon as it was listed, lists must be delayed instead of being repeated at once.
  position.barrenLists = position.seen === listed ? position.barrenLists + 1 : 0;
  if (position.barrenLists > 1) await pause(options, backOff.next());
}

async function list<T extends KubeObject>(options: ReflectorOptions<T>, position: Position): Promise<void> {
  const { listFrom } = position;
  const { items, metadata } = await runStep(options.observer, here`informer/list`, () =>
    unlessSilent(options, (signal) =>
      options.resource.list({
        ...selectionOf(options),
        signal,
        ...(listFrom === '' ? {} : { resourceVersion: listFrom }),
      }),
    ),
  );
  position.seen = metadata.resourceVersion ?? '';
  options.target.replace(items, position.seen);
  options.target.inStep?.();
}

const selectionOf = <T extends KubeObject>({ labelSelector, fieldSelector }: ReflectorOptions<T>) => ({
  ...(labelSelector === undefined ? {} : { labelSelector }),
  ...(fieldSelector === undefined ? {} : { fieldSelector }),
});

/** Watches, over successive connections, until the server reports that the version has expired. */
async function watchFrom<T extends KubeObject>(
  options: ReflectorOptions<T>,
  position: Position,
  backOff: BackOff,
  open?: OpenWatch<T>,
): Promise<void> {
  let watch = open;
  while (!options.signal.aborted) {
    try {
      await watchOnce(
        options,
        position,
        backOff,
        watch ?? openWatch(options, { resourceVersion: position.seen }),
      );
    } catch (error) {
      if (options.signal.aborted) return;
      options.onError(error);
      if (isExpired(error)) return;
      // If the server is overloaded or unreachable, the state is still valid. Otherwise, start over.
      if (!isTransient(error)) throw error;
      await pause(options, backOff.next());
    }
    watch = undefined;
  }
}

interface OpenWatch<T extends KubeObject> {
  readonly batches: AsyncGenerator<readonly WatchEvent<T>[]>;
  readonly idle: IdleTimeout;
  readonly startedMs: number;
  /** The number of events received. */
  received: number;
}

function openWatch<T extends KubeObject>(
  options: ReflectorOptions<T>,
  beginning: Pick<WatchOptions, 'resourceVersion' | 'resourceVersionMatch' | 'sendInitialEvents'>,
): OpenWatch<T> {
  const { clock, random, resource, target } = options;
  const idle = idleTimeoutOf(options);
  const batches = resource.watchBatches({
    ...selectionOf(options),
    ...beginning,
    signal: idle.signal,
    allowWatchBookmarks: true,
    timeoutSeconds: Math.floor((watchMinMs * (1 + random.next())) / 1000),
    onOpen: () => {
      idle.touch();
      target.inStep?.();
    },
  });
  return { batches, idle, startedMs: clock.monotonic(), received: 0 };
}

async function watchOnce<T extends KubeObject>(
  options: ReflectorOptions<T>,
  position: Position,
  backOff: BackOff,
  watch: OpenWatch<T>,
): Promise<void> {
  const { idle } = watch;
  try {
    for await (const events of watch.batches) {
      idle.touch();
      if (watch.received === 0) backOff.reset();
      watch.received += events.length;
      take(options, position, events);
    }
    // A cancelled stream may simply end.
    idle.signal.throwIfAborted();
  } finally {
    idle.end();
  }
  if (
    watch.received === 0 &&
    !options.signal.aborted &&
    options.clock.monotonic() - watch.startedMs < shortWatchMs
  ) {
    throw new Error('very short watch: it ended within a second and without an event');
  }
}

function take<T extends KubeObject>(
  { target }: ReflectorOptions<T>,
  position: Position,
  events: readonly WatchEvent<T>[],
): void {
  target.apply(events);
  target.inStep?.();
  position.seen = events.at(-1)!.object.metadata.resourceVersion ?? position.seen;
}

/**
 * Reads the initial objects of a watch, up to the bookmark that marks their end, and returns the watch, which continues
 * from there. Undefined if that failed: as in client-go, the objects are then listed.
 */
async function watchedList<T extends KubeObject>(
  options: ReflectorOptions<T>,
  position: Position,
): Promise<OpenWatch<T> | undefined> {
  const watch = openWatch(options, {
    resourceVersion: '',
    resourceVersionMatch: 'NotOlderThan',
    sendInitialEvents: true,
  });
  try {
    await runStep(options.observer, here`informer/list`, () => readInitial(options, position, watch));
    return watch;
  } catch (error) {
    watch.idle.end();
    await watch.batches.return(undefined);
    if (options.signal.aborted) throw error;
    // A server without this kind of watch refuses it as invalid.
    if (!isStatusError(error, 'Invalid')) options.onError(error);
    return undefined;
  }
}

/** @throws Error if the watch ends before the bookmark */
async function readInitial<T extends KubeObject>(
  options: ReflectorOptions<T>,
  position: Position,
  watch: OpenWatch<T>,
): Promise<void> {
  const objects = new Map<string, T>();
  for (;;) {
    const { done, value: events } = await watch.batches.next();
    if (done === true) throw new Error('the watch ended before its initial events did');
    watch.idle.touch();
    watch.received += events.length;
    const end = addInitial(objects, events);
    if (end === undefined) continue;
    position.seen = events[end]!.object.metadata.resourceVersion ?? '';
    options.target.replace([...objects.values()], position.seen);
    options.target.inStep?.();
    if (end + 1 < events.length) take(options, position, events.slice(end + 1));
    return;
  }
}

/** Returns the index of the bookmark that ends the initial events, if it is among these. */
function addInitial<T extends KubeObject>(
  objects: Map<string, T>,
  events: readonly WatchEvent<T>[],
): number | undefined {
  for (const [at, { type, object }] of events.entries()) {
    const { uid = '', annotations } = object.metadata;
    if (type === 'BOOKMARK') {
      if (annotations?.['k8s.io/initial-events-end'] === 'true') return at;
    } else if (type === 'DELETED') objects.delete(uid);
    else objects.set(uid, object);
  }
  return undefined;
}

const isExpired = (error: unknown): boolean =>
  isStatusError(error) && (error.reason === 'Expired' || error.reason === 'Gone' || error.code === 410);

/** `Too large resource version`: the responding server lags behind the one seen before. */
const isTooFarAhead = (error: unknown): boolean =>
  isStatusError(error) &&
  error.status.details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') === true;

/** No response at all, or one that the server is overloaded. */
const isTransient = (error: unknown): boolean =>
  !isStatusError(error) || error.code === 429 || error.code >= 500;

async function pause<T extends KubeObject>(
  { clock, signal }: ReflectorOptions<T>,
  delayMs: number,
): Promise<void> {
  try {
    await clock.sleep(delayMs, signal);
  } catch {
    // Stopped; the loop will notice.
  }
}

/** In process, no connection can be lost. */
function idleTimeoutOf<T extends KubeObject>(options: ReflectorOptions<T>, share = 1): IdleTimeout {
  const { clock, signal, idleTimeoutMs = idleTimeoutDefaultMs, resource } = options;
  return startIdleTimeout(clock, signal, resource.isRemote ? idleTimeoutMs * share : undefined);
}

/** A list counts as received only when it is complete. */
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
