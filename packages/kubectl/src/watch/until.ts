/** Waits for one object: reads it, watches it, and reads it again when a watch ends. */
import { StatusError, type KubeObject } from '@coxswain/apimachinery';
import { RequestTimeout } from '../api-client.ts';
import type { CommandContext } from '../context.ts';
import { isNotFound } from '../resource/fetch.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import type { ResourceMapping } from '../mapping.ts';
import { readWatchEvents } from './events.ts';

/** The time that a command was willing to wait is over. */
export class WaitTimeout extends Error {
  constructor() {
    super('timed out waiting for the condition');
  }
}

export interface WaitTarget {
  readonly mapping: ResourceMapping;
  readonly namespace: string;
  readonly name: string;
}

/** The delay between attempts if a watch ends at once. */
const retryMs = 200;
const pollMs = 1_000;

/**
 * Calls `check` with every state of the object (`undefined` while it doesn't exist) until it returns a result.
 * @throws WaitTimeout after `timeoutMs`
 */
export async function waitUntil<T>(
  context: CommandContext,
  target: WaitTarget,
  timeoutMs: number,
  check: (object: KubeObject | undefined) => T | undefined,
): Promise<T> {
  const stop = new AbortController();
  const timer = context.clock.after(Math.max(0, timeoutMs), () => stop.abort(new WaitTimeout()), {
    idle: false,
  });
  const signal = context.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, context.signal]);
  const over = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  over.catch(() => undefined);
  try {
    return await Promise.race([follow(context, target, check, signal), over]);
  } finally {
    timer.cancel();
    stop.abort(new Error('done'));
  }
}

/**
 * Most objects are gone at once, which a single request reveals; others are watched.
 * @param uid identifies the object, as opposed to a later one with the same name
 * @throws WaitTimeout after `timeoutMs`
 */
export async function waitUntilGone(
  context: CommandContext,
  target: WaitTarget,
  timeoutMs: number,
  uid: string | undefined,
): Promise<void> {
  const isGone = (object: KubeObject | undefined) =>
    object === undefined || (uid !== undefined && object.metadata.uid !== uid) ? true : undefined;
  const helper = new ResourceHelper(await context.client(), target.mapping);
  try {
    if (isGone(await helper.get(target.namespace, target.name))) return;
  } catch (failure) {
    if (isNotFound(failure)) return;
    throw failure;
  }
  await waitUntil(context, target, timeoutMs, isGone);
}

/** Does the same by reading the object every second, for checks that depend on the time. */
export async function pollUntil<T>(
  context: CommandContext,
  { mapping, namespace, name }: WaitTarget,
  timeoutMs: number,
  check: (object: KubeObject | undefined) => T | undefined,
): Promise<T> {
  const helper = new ResourceHelper(await context.client(), mapping);
  const endMs = context.clock.monotonic() + timeoutMs;
  for (;;) {
    const object = await helper.get(namespace, name).catch((failure: unknown) => {
      if (isNotFound(failure)) return undefined;
      throw failure;
    });
    const found = check(object);
    if (found !== undefined) return found;
    if (context.clock.monotonic() >= endMs) throw new WaitTimeout();
    await context.clock.sleep(pollMs, context.signal);
  }
}

async function follow<T>(
  context: CommandContext,
  { mapping, namespace, name }: WaitTarget,
  check: (object: KubeObject | undefined) => T | undefined,
  signal: AbortSignal,
): Promise<T> {
  const helper = new ResourceHelper(await context.client(), mapping);
  for (;;) {
    try {
      const states = await statesOf(helper, { mapping, namespace, name }, signal);
      for await (const object of states) {
        const found = check(object);
        if (found !== undefined) return found;
      }
    } catch (failure) {
      if (signal.aborted) throw signal.reason;
      const isPast = (failure as { code?: number }).code === 410 || failure instanceof RequestTimeout;
      if (!isPast) throw failure;
    }
    await context.clock.sleep(retryMs, signal);
  }
}

/** Makes one request if the server starts a watch with the existing objects; otherwise lists first. */
async function statesOf(
  helper: ResourceHelper,
  target: WaitTarget,
  signal: AbortSignal,
): Promise<AsyncGenerator<KubeObject | undefined>> {
  const fieldSelector = `metadata.name=${target.name}`;
  try {
    const query = {
      allowWatchBookmarks: 'true',
      fieldSelector,
      resourceVersionMatch: 'NotOlderThan',
      sendInitialEvents: 'true',
    };
    return fromWatch(await helper.watch(target.namespace, query, signal));
  } catch (failure) {
    if (!(failure instanceof StatusError)) throw failure;
    return fromListAndWatch(helper, target, signal);
  }
}

async function* fromWatch(body: AsyncIterable<Uint8Array>): AsyncGenerator<KubeObject | undefined> {
  let isKnown = false;
  for await (const { type, object } of readWatchEvents<KubeObject>(body, true)) {
    if (type !== 'BOOKMARK') {
      isKnown = true;
      yield type === 'DELETED' ? undefined : object;
    } else if (!isKnown && object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true') {
      isKnown = true;
      yield undefined;
    }
  }
}

async function* fromListAndWatch(
  helper: ResourceHelper,
  { mapping, namespace, name }: WaitTarget,
  signal: AbortSignal,
): AsyncGenerator<KubeObject | undefined> {
  const fieldSelector = `metadata.name=${name}`;
  const list = (await helper.list(namespace, { fieldSelector })) as KubeObject & { items?: KubeObject[] };
  yield withKind(list.items?.[0], mapping);
  const { resourceVersion } = list.metadata;
  yield* fromWatch(await helper.watch(namespace, { fieldSelector, resourceVersion }, signal));
}

/** Items of a list have no kind and version. */
const withKind = (
  object: KubeObject | undefined,
  { group, version, kind }: ResourceMapping,
): KubeObject | undefined =>
  object === undefined
    ? undefined
    : { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...object };
