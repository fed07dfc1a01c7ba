import { ManualClock, StatusError } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import type { CommandContext } from '../context.ts';
import type { ResourceHelper } from '../resource/resource-helper.ts';
import { evictPods } from './remove-pods.ts';
import type { Pod } from './pods-to-evict.ts';

const podNamed = (name: string) => ({ metadata: { name, namespace: 'shop' } }) as Pod;
const refusal = (reason: string, message: string) => new StatusError(429, reason, message);

test('a pod whose eviction is refused is tried again until the timeout, and stops no other', async () => {
  const clock = new ManualClock();
  const [printed, problems, evicted]: string[][] = [[], [], []];
  const context = {
    clock,
    print: (text: string) => void printed!.push(text),
    printError: (text: string) => void problems!.push(text),
    client: async () => ({
      async request({ path }: { readonly path: string }) {
        if (path.includes('/guarded/')) throw refusal('TooManyRequests', 'no');
        if (path.includes('/odd/')) throw refusal('Forbidden', 'never');
        evicted!.push(path);
      },
    }),
  } as unknown as CommandContext;
  const helper = { get: async (_: string, name: string) => podNamed(name) } as unknown as ResourceHelper;
  const removal = {
    context,
    helper,
    dryRun: 'server' as const,
    gracePeriod: -1,
    timeoutMs: 7_000,
    skipWaitSeconds: 0,
    onGone: () => undefined,
  };

  const failed = evictPods(removal, ['odd', 'guarded', 'free'].map(podNamed)).catch((error: Error) => error);
  await clock.advance(5_000);
  await clock.advance(5_000);

  expect(await failed).toMatchObject({
    asList: true,
    message:
      '[error when evicting pods/"odd" -n "shop": never, ' +
      'error when evicting pods/"guarded" -n "shop": global timeout reached: 7s]',
  });
  expect(evicted).toHaveLength(1);
  expect(printed!.filter((line) => line.includes('shop/guarded'))).toHaveLength(3);
  expect(problems).toEqual(
    Array.from(
      { length: 2 },
      () => 'error when evicting pods/"guarded" -n "shop" (will retry after 5s): no\n',
    ),
  );
});
