import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryStorage } from '../engine/memory/memory-storage.ts';
import type { CachedObject } from './cached-object.ts';
import { Cacher } from './cacher.ts';
import { directory, erase, labelled, seen, thingCodec, write, type Thing } from './thing.fixture.ts';
import type { Watcher } from './watcher.ts';

const keyArbitrary = fc.constantFrom('a/1', 'a/2', 'b/1', 'b/2', 'b/3');
const thingArbitrary = fc.record({
  labels: fc.constantFrom<Thing['labels']>({}, { app: 'x' }, { app: 'y' }),
  node: fc.constantFrom('', 'n1', 'n2'),
});
const onNode = (value: string) => (object: CachedObject<Thing>) => object.fields['node'] === value;
const selections = [
  {},
  { scope: `${directory}a/` },
  { scope: `${directory}b/2` },
  { match: labelled('app', 'x') },
  { label: { label: 'app', value: 'x' }, match: labelled('app', 'x') },
  { scope: `${directory}a/`, label: { label: 'app', value: 'y' }, match: labelled('app', 'y') },
  { scope: `${directory}b/`, match: labelled('app', 'y') },
  { field: { field: 'node', value: 'n1' }, match: onNode('n1') },
  { scope: `${directory}b/`, field: { field: 'node', value: 'n2' }, match: onNode('n2') },
];
const stepArbitrary = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constant('write' as const), key: keyArbitrary, thing: thingArbitrary }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('erase' as const), key: keyArbitrary }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('watch' as const),
      selection: fc.constantFrom(...selections),
      fromStart: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('turn' as const) }) },
);

/** A client's state from a watch: the objects of its events. */
class Follower {
  readonly watcher: Watcher<Thing>;
  readonly selection: (typeof selections)[number];
  readonly objects = new Map<string, string>();
  revision = 0;

  constructor(watcher: Watcher<Thing>, selection: (typeof selections)[number]) {
    this.watcher = watcher;
    this.selection = selection;
  }

  read(): void {
    for (let ready = this.watcher.take(); ready.length > 0; ready = this.watcher.take()) {
      for (const event of ready) {
        if (event.type === 'BOOKMARK') continue;
        const { key, served } = event.object;
        expect(this.objects.has(key)).toBe(event.type !== 'ADDED');
        if (event.type === 'DELETED') this.objects.delete(key);
        else this.objects.set(key, new TextDecoder().decode(served));
      }
    }
  }
}

test('a client that follows a watch always has the state of a list', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 60 }), async (steps) => {
      const storage = new MemoryStorage();
      const cacher = new Cacher({ storage, prefix: directory, codec: thingCodec() });
      const followers: Follower[] = [];
      for (const step of steps) {
        if (step.act === 'write') await write(storage, step.key, step.thing);
        if (step.act === 'erase') await erase(storage, step.key);
        if (step.act === 'turn') for (const follower of followers) follower.read();
        if (step.act === 'watch') {
          // From revision 1 on, all events together make up the state.
          const start = step.fromStart ? { since: 1 } : { initialEvents: 'plain' as const };
          followers.push(new Follower(await cacher.watch({ ...step.selection, ...start }), step.selection));
        }
      }
      for (const follower of followers) {
        follower.read();
        const { scope = directory, ...rest } = follower.selection;
        const listed = scope.endsWith('/')
          ? (await cacher.list({ scope, ...rest })).objects
          : [await cacher.get(scope)].filter((object) => object !== undefined);
        const shown = listed.map(({ key, served }) => [key, new TextDecoder().decode(served)]);
        expect([...follower.objects].sort()).toEqual(shown.sort());
      }
      await seen(await cacher.watch());
    }),
    { numRuns: 150 },
  );
});
