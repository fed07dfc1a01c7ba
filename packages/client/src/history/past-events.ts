/** What a server still knows to tell of the past of a resource, as a watch tells it. */

import { systemClock, type Clock, type KubeObject, type WatchEvent } from '@coxswain/apimachinery';
import type { ResourceClient, WatchOptions } from '../resource/resource-client.ts';

export interface PastEventsOptions extends Pick<WatchOptions, 'fieldSelector' | 'signal'> {
  /** The version from which on events are told. */
  readonly resourceVersion: string;
  readonly clock?: Clock;
}

/** A watch does not say that it has told all: it says nothing any more. */
const quietMs = 400;

/**
 * The events from a version on until now, oldest first. The server's own clock may stand still, as that of a test
 * cluster does, so that the watch is ended here.
 * @throws StatusError with code 410 where so old a version is no longer known
 */
export async function* pastEvents<T extends KubeObject>(
  resource: ResourceClient<T>,
  { clock = systemClock, signal, ...selection }: PastEventsOptions,
): AsyncGenerator<WatchEvent<T>> {
  const { metadata } = await resource.list({ limit: 1, signal });
  const newest = Number(metadata?.resourceVersion);
  const ending = new AbortController();
  const either = AbortSignal.any([ending.signal, ...(signal === undefined ? [] : [signal])]);
  let told = 0;
  const endInSilence = async (): Promise<void> => {
    for (let known = -1; known !== told; await clock.sleep(quietMs, either)) known = told;
    ending.abort(new Error('all has been told'));
  };
  let watching: Promise<unknown> = Promise.resolve();
  const onOpen = (): void => void (watching = endInSilence().catch(() => undefined));
  try {
    for await (const event of resource.watch({ ...selection, signal: either, onOpen })) {
      told++;
      yield event;
      if (Number(event.object.metadata.resourceVersion) >= newest) return;
    }
  } catch (failure) {
    if (!ending.signal.aborted) throw failure;
  } finally {
    ending.abort(new Error('nobody reads on'));
    await watching;
  }
}
