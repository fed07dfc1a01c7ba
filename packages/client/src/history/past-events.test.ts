import { ManualClock, type KubeObject, type WatchEvent } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import type { ResourceClient, WatchOptions } from '../resource/resource-client.ts';
import { pastEvents } from './past-events.ts';

const event = (resourceVersion: string): WatchEvent<KubeObject> => ({
  type: 'MODIFIED',
  object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', resourceVersion } },
});

/** A server that takes `listMs` for a list, and pauses for `gapMs` before each of three events. */
function slowServer(clock: ManualClock, listMs: number, gapMs: number): ResourceClient<KubeObject> {
  return {
    async list() {
      await clock.sleep(listMs);
      return { metadata: { resourceVersion: '100' } };
    },
    async *watch({ onOpen, signal }: WatchOptions) {
      onOpen?.();
      for (const version of ['11', '12', '13']) {
        await clock.sleep(gapMs, signal);
        yield event(version);
      }
      await clock.sleep(3600_000, signal);
    },
  } as unknown as ResourceClient<KubeObject>;
}

async function versionsFrom(listMs: number, gapMs: number): Promise<readonly (string | undefined)[]> {
  const clock = new ManualClock();
  const found: (string | undefined)[] = [];
  const reading = (async () => {
    for await (const { object } of pastEvents(slowServer(clock, listMs, gapMs), {
      resourceVersion: '10',
      clock,
    }))
      found.push(object.metadata.resourceVersion);
  })();
  await clock.advance(60_000);
  await reading;
  return found;
}

test('events end when the server is silent', async () => {
  expect(await versionsFrom(5, 300)).toEqual(['11', '12', '13']);
});

test('a busy server that pauses between events has not sent everything', async () => {
  expect(await versionsFrom(1_000, 3_000)).toEqual(['11', '12', '13']);
});
