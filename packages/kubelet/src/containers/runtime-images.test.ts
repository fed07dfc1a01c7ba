import { ManualClock } from '@coxswain/apimachinery';
import { TokenBucket } from '@coxswain/client';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { expect, test } from 'vitest';
import type { Cri } from '../cri/cri-client.ts';
import { RuntimeImages } from './runtime-images.ts';
import type { RuntimeImagesOptions } from './runtime-images.ts';

const pod = { metadata: { name: 'web', namespace: 'shop' } } as unknown as Pod;

/** Images of a runtime whose pulls end when `finish` says so. */
function imagesWith(options: Partial<RuntimeImagesOptions>) {
  const clock = new ManualClock();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const cri = {
    pullImage: ({ image }: { image: { image: string } }) => {
      begun.push(image.image);
      return new Promise<object>((resolve) => ends.push(() => resolve({})));
    },
    imageStatus: async () => ({ image: { id: 'sha256:1', repoDigests: [], size: 1, username: '' } }),
  } as unknown as Cri;
  const images = new RuntimeImages({ cri, clock, pullSecrets: async () => [], ...options });
  const pull = (name: string) => images.pull(name, pod, new AbortController().signal);
  return { clock, begun, pull, finish: () => ends.shift()?.() };
}

test('so many images are pulled at once as the node may, the others when it is their turn', async () => {
  const { begun, pull, finish } = imagesWith({ pullsAtOnceMax: 2 });
  const pulls = ['a', 'b', 'c', 'd'].map(pull);
  await expect.poll(() => begun).toEqual(['a:latest', 'b:latest']);
  finish();
  await pulls[0];
  await expect.poll(() => begun).toEqual(['a:latest', 'b:latest', 'c:latest']);
  finish();
  finish();
  await Promise.all(pulls.slice(1, 3));
  await expect.poll(() => begun).toHaveLength(4);
  finish();
  await pulls[3];
});

test('more pulls a second than the node may are refused, until time has passed', async () => {
  const clock = new ManualClock();
  const { pull, finish, begun } = imagesWith({ clock, pace: new TokenBucket(clock, 1, 2) });
  const allowed = ['a', 'b'].map(pull);
  await expect(pull('c')).rejects.toMatchObject({ code: 'ErrImagePull', message: 'pull QPS exceeded' });
  await clock.advance(1_000);
  allowed.push(pull('c'));
  await expect.poll(() => begun).toHaveLength(3);
  for (const _ of allowed) finish();
  await Promise.all(allowed);
});
