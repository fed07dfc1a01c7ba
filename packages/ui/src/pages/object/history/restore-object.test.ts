import { conflict, type KubeObject } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { restoreObject } from './restore-object.ts';

const object = (resourceVersion: string, generation: number, image: string): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', uid: '1', resourceVersion, generation },
    spec: { image },
    status: { seen: resourceVersion },
  }) as unknown as KubeObject;

/** Has the states one after the other; an update is refused unless it names the version of the last one. */
function resource(...states: readonly KubeObject[]) {
  const updates: KubeObject[] = [];
  let at = -1;
  return {
    updates,
    create: () => Promise.reject(new Error('it exists')),
    get: async () => states[Math.min(++at, states.length - 1)]!,
    async update(wanted: KubeObject) {
      updates.push(wanted);
      if (wanted.metadata.resourceVersion === states.at(-1)!.metadata.resourceVersion) return wanted;
      throw conflict({ group: 'apps', resource: 'deployments' }, 'web', 'the object has been modified');
    },
  };
}

const then = object('1', 1, 'good');
const now = object('2', 2, 'bad');
const restore = (on: ReturnType<typeof resource>) =>
  restoreObject(on as never, { wanted: then, now, fieldManager: 'page' });

test('a status that is written meanwhile is no conflict', async () => {
  const on = resource(object('3', 2, 'bad'), object('4', 2, 'bad'));
  await restore(on);
  expect(on.updates.map(({ metadata }) => metadata.resourceVersion)).toEqual(['3', '4']);
  expect(on.updates.at(-1)).toMatchObject({ spec: { image: 'good' }, status: { seen: '4' } });
});

test('what somebody else changed meanwhile is not overwritten', async () => {
  const on = resource(object('3', 3, 'other'));
  await expect(restore(on)).rejects.toMatchObject({ reason: 'Conflict' });
  expect(on.updates).toHaveLength(1);
});
