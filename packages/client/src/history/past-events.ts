/** Past events of a resource as a watch returns them, as far back as the server's history reaches. */

import { systemClock, type Clock, type KubeObject, type WatchEvent } from '@coxswain/apimachinery';
import type { ResourceClient, WatchOptions } from '../resource/resource-client.ts';

export interface PastEventsOptions extends Pick<WatchOptions, 'fieldSelector' | 'signal'> {
  /** The version after which events are returned. */
  readonly resourceVersion: string;
  readonly clock?: Clock;
}

/** A watch does not announce that it has sent everything; it falls silent. */
const quietMsMin = 400;
/** A busy server pauses between events, too: for less than this many times as long as it takes for a list. */
const quietLists = 5;

/**
 * Yields the events from a version until now, oldest first. The server's own clock may be stopped, as in a test
 * cluster, so the watch is ended on this side.
 * @throws StatusError with code 410 if the version is no longer available
 */
export async function* pastEvents<T extends KubeObject>(
  resource: ResourceClient<T>,
  { clock = systemClock, signal, ...selection }: PastEventsOptions,
): AsyncGenerator<WatchEvent<T>> {
  const askedMs = clock.monotonic();
  const { metadata } = await resource.list({ limit: 1, signal });
  const quietMs = Math.max(quietMsMin, quietLists * (clock.monotonic() - askedMs));
  const newest = Number(metadata?.resourceVersion);
  const ending = new AbortController();
  const either = AbortSignal.any([ending.signal, ...(signal === undefined ? [] : [signal])]);
  let reported = 0;
  const endInSilence = async (): Promise<void> => {
    for (let known = -1; known !== reported; await clock.sleep(quietMs, either)) known = reported;
    ending.abort(new Error('all past events have been read'));
  };
  let watching: Promise<unknown> = Promise.resolve();
  const onOpen = (): void => void (watching = endInSilence().catch(() => undefined));
  try {
    for await (const event of resource.watch({ ...selection, signal: either, onOpen })) {
      reported++;
      yield event;
      if (Number(event.object.metadata.resourceVersion) >= newest) return;
    }
  } catch (failure) {
    if (!ending.signal.aborted) throw failure;
  } finally {
    ending.abort(new Error('the reader has stopped'));
    await watching;
  }
}
