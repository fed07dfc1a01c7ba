import { expect, test } from 'vitest';
import { changeOf, type CacheEvent } from './cache-event.ts';
import { EventRing } from './event-ring.ts';
import { DerivedFormCache } from './derived-form-cache.ts';
import { thingCodec, type Thing } from './thing.fixture.ts';

const derivedForms = new DerivedFormCache<Thing>(thingCodec());

function deletion(revision: number, bytes: number): CacheEvent<Thing> {
  const entry = {
    key: '/a',
    value: new Uint8Array(bytes),
    createRevision: 1,
    modRevision: revision,
    version: 1,
  };
  return changeOf({ type: 'delete', entry }, undefined, derivedForms);
}

const revisionsAfter = (ring: EventRing<Thing>, revision: number) =>
  ring.after(revision)?.map((event) => event.revision);

test('returns the events after a revision if it has all of them', () => {
  const ring = new EventRing<Thing>(1, { eventsMax: 3, bytesMax: 1_000 });
  for (let revision = 2; revision <= 20; revision++) ring.push(deletion(revision, 1));

  expect(revisionsAfter(ring, 20)).toEqual([]);
  expect(revisionsAfter(ring, 18)).toEqual([19, 20]);
  expect(revisionsAfter(ring, 17)).toEqual([18, 19, 20]);
  expect(revisionsAfter(ring, 16)).toBeUndefined();
});

test('keeps fewer events when they are large', () => {
  const ring = new EventRing<Thing>(1, { eventsMax: 100, bytesMax: 1_000 });
  for (let revision = 2; revision <= 20; revision++) ring.push(deletion(revision, 300));

  expect(revisionsAfter(ring, 17)).toEqual([18, 19, 20]);
  expect(revisionsAfter(ring, 16)).toBeUndefined();
  ring.push(deletion(21, 2_000));
  expect(revisionsAfter(ring, 20)).toBeUndefined();
  expect(revisionsAfter(ring, 21)).toEqual([]);
});
