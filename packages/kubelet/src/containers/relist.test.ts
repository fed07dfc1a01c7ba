import { ManualClock } from '@coxswain/apimachinery';
import { expect, onTestFinished, test } from 'vitest';
import { containerEventTypes, ContainerState } from '../cri/container-messages.ts';
import type { Cri } from '../cri/cri-client.ts';
import { Relist } from './relist.ts';

test('a container that ends during a reading is reported at once, not at the next reading', async () => {
  const clock = new ManualClock();
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const running = { id: 'c', state: ContainerState.running };
  const ended = { id: 'c', state: ContainerState.exited };
  const events = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
  const slow = Promise.withResolvers<void>();
  const answers = [
    async () => [running],
    async () => {
      // As in containerd, the answer reflects the time of the request.
      await slow.promise;
      return [running];
    },
    async () => [ended],
  ];
  const cri = {
    listPodSandbox: async () => ({ items: [] }),
    listContainers: async () => ({ containers: await answers.shift()!() }),
    async *containerEvents() {
      for (const { promise } of events) {
        await promise;
        yield { type: containerEventTypes.stopped };
      }
      await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve));
    },
  } as unknown as Cri;
  const alive: number[] = [];
  const relist = new Relist({
    cri,
    clock,
    signal: stopping.signal,
    listed: (ids) => alive.push(ids.size),
    sandboxLost: () => {},
    health: () => {},
  });
  await relist.start();
  events[0]!.resolve();
  await clock.advance(0);
  events[1]!.resolve();
  await clock.advance(0);
  slow.resolve();
  await clock.advance(0);
  expect(alive).toEqual([1, 1, 0]);
});
