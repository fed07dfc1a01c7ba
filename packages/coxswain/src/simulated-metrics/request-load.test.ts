import { expect, test } from 'vitest';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { ManualClock } from '@coxswain/apimachinery';
import { RequestLoad } from './request-load.ts';

const pod = (limit?: string) =>
  ({
    metadata: { uid: 'one' },
    spec: {
      containers: [
        { name: 'app', resources: { requests: { cpu: '100m' }, ...(limit && { limits: { cpu: limit } }) } },
      ],
    },
  }) as unknown as Pod;

test('requests cost CPU, on top of that of an idle container, until they are past', async () => {
  const clock = new ManualClock(60_000);
  const load = new RequestLoad(clock);
  expect(load.usage(pod(), 'app')).toBeUndefined();
  for (let second = 0; second < 30; second++) {
    for (let index = 0; index < 20; index++) load.count(pod(), 'app');
    await clock.advance(1_000);
  }
  expect(load.usage(pod(), 'app')).toEqual({ cpu: '110m' });
  expect(load.usage(pod('90m'), 'app')).toEqual({ cpu: '90m' });
  expect(load.usage(pod(), 'other')).toBeUndefined();
  await clock.advance(30_000);
  expect(load.usage(pod(), 'app')).toBeUndefined();
});
