import { parseFieldSelector } from '@coxswain/apimachinery/field-selector.ts';
import type { Kind } from '@coxswain/schema';
import { expect, test } from 'vitest';
import type { ListOptions } from '../rest/options.ts';
import type { Served, ServedEvent, ServedWatch } from '../rest/served.ts';
import { convertedSelection, selectedList, selectedWatch } from './converted-selection.ts';

const kind = {
  behaviour: { selectableFields: { color: ({ color }: { color?: string }) => color ?? '' } },
} as unknown as Kind;
const options = { fieldSelector: parseFieldSelector('color=red,metadata.namespace=n') } as ListOptions;
const selection = convertedSelection(options, kind);

const painted = (uid: string, color: string): Served =>
  ({ object: { metadata: { uid }, color } }) as unknown as Served;
const event = (type: string, uid: string, color: string) =>
  ({ type, object: painted(uid, color) }) as unknown as ServedEvent;

test('the cache selects by fields of all versions; other fields are selected after conversion', () => {
  expect(String(selection.stored.fieldSelector)).toBe('metadata.namespace=n');
  const page = {
    resourceVersion: '5',
    remainingItemCount: 3,
    items: [painted('a', 'red'), painted('b', 'blue')],
  };
  expect(selectedList(page, selection)).toEqual({ resourceVersion: '5', items: [painted('a', 'red')] });
});

test('without fields of its own nothing is left to select after conversion', () => {
  const plain = { fieldSelector: parseFieldSelector('metadata.name=a') } as ListOptions;
  expect(convertedSelection(plain, kind)).toEqual({ stored: plain, matches: undefined });
});

test.each<readonly [string, readonly ServedEvent[], readonly string[]]>([
  ['is made matching', [event('ADDED', 'a', 'red')], ['ADDED']],
  ['is made, and never matches', [event('ADDED', 'a', 'blue'), event('DELETED', 'a', 'blue')], []],
  ['comes to match', [event('ADDED', 'a', 'blue'), event('MODIFIED', 'a', 'red')], ['ADDED']],
  ['matches no longer', [event('ADDED', 'a', 'red'), event('MODIFIED', 'a', 'blue')], ['ADDED', 'DELETED']],
  ['goes', [event('ADDED', 'a', 'red'), event('DELETED', 'a', 'red')], ['ADDED', 'DELETED']],
  ['was there before the watch', [event('MODIFIED', 'a', 'red')], ['MODIFIED']],
  ['was there before, and matches no longer', [event('MODIFIED', 'a', 'blue')], ['DELETED']],
])('a watch tells of an object that %s what its client has to know', async (_, events, reported) => {
  const batches: (readonly ServedEvent[])[] = events.map((each) => [each]);
  const watch = { next: async () => batches.shift() } as unknown as ServedWatch;
  const selected = selectedWatch(watch, selection);
  const types: string[] = [];
  for (let next = await selected.next(); next !== undefined; next = await selected.next())
    types.push(...next.map(({ type }) => type));
  expect(types).toEqual(reported);
});
