import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import { ManualClock } from '@coxswain/apimachinery';
import type { Kind } from '@coxswain/schema';
import { expect, test } from 'vitest';
import { configMap, configMaps } from '../testing/config-map.ts';
import { inMemoryApi } from '../testing/in-memory-api.ts';

async function filled(...names: readonly string[]) {
  const api = inMemoryApi({ resources: [{ kind: ConfigMap }] });
  for (const name of names) await api.request('POST', configMaps, configMap(name));
  return api;
}

interface Listed {
  readonly metadata: {
    readonly continue?: string;
    readonly remainingItemCount?: number;
    readonly resourceVersion: string;
  };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

const namesOf = ({ items }: Listed) => items.map(({ metadata }) => metadata.name);

test('all pages of a list come from the revision of the first', async () => {
  const { request } = await filled('a', 'b', 'c', 'd', 'e');

  const first: Listed = (await request('GET', `${configMaps}?limit=2`)).json;
  await request('DELETE', `${configMaps}/c`);
  await request('POST', configMaps, configMap('cc'));
  const second: Listed = (await request('GET', `${configMaps}?limit=9&continue=${first.metadata.continue}`))
    .json;

  expect([namesOf(first), first.metadata.remainingItemCount]).toEqual([['a', 'b'], 3]);
  expect(namesOf(second)).toEqual(['c', 'd', 'e']);
  expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
});

test('a page has a continue token while any object is left, selected or not', async () => {
  const api = inMemoryApi({ resources: [{ kind: ConfigMap }] });
  for (const name of ['a', 'b', 'c', 'd']) {
    await api.request('POST', configMaps, {
      metadata: { name, labels: { half: name < 'c' ? 'yes' : 'no' } },
    });
  }

  const first: Listed = (await api.request('GET', `${configMaps}?limit=2&labelSelector=half%3Dyes`)).json;
  const token = first.metadata.continue!;
  const second: Listed = (
    await api.request('GET', `${configMaps}?limit=2&labelSelector=half%3Dyes&continue=${token}`)
  ).json;

  expect([namesOf(first), atob(token)]).toEqual([
    ['a', 'b'],
    '{"v":"meta.k8s.io/v1","rv":5,"start":"/b\\u0000"}',
  ]);
  expect([namesOf(second), second.metadata.continue]).toEqual([[], undefined]);
});

test('a list by name can be read at an exact past version', async () => {
  const { request } = await filled('a', 'b');

  const byName = `${configMaps}?fieldSelector=metadata.name%3Db&resourceVersionMatch=Exact`;
  const before: Listed = (await request('GET', `${byName}&resourceVersion=2`)).json;
  const after: Listed = (await request('GET', `${byName}&resourceVersion=3`)).json;

  expect([namesOf(before), before.metadata.resourceVersion]).toEqual([[], '2']);
  expect([namesOf(after), after.metadata.resourceVersion]).toEqual([['b'], '3']);
});

test.for(['../b', 'b/', 'a//b', './b'])('a continue token that begins at %s is refused', async (start) => {
  const { request } = await filled('a');
  const token = btoa(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start })).replaceAll('=', '');

  const { status, json } = await request('GET', `${configMaps}?continue=${token}`);

  expect([status, json.message]).toEqual([400, expect.stringContaining('continue key is not valid')]);
});

test('a watch with bookmarks gets one two seconds before it ends', async () => {
  const clock = new ManualClock();
  const { request, watchLines } = inMemoryApi({ resources: [{ kind: ConfigMap }], clock });
  await request('POST', configMaps, configMap('a'));
  const query = 'watch=true&resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=10';
  const lines = watchLines(`${configMaps.replace('default', 'other')}?${query}`, 1);

  await clock.advance(7_999);
  await request('POST', configMaps, configMap('b'));
  await clock.advance(1);

  expect(await lines).toMatchObject([{ type: 'BOOKMARK', object: { metadata: { resourceVersion: '3' } } }]);
});

test('a list consists of a head, the stored bytes of its items and a tail', async () => {
  const { request } = await filled('a');
  const one = (await request('GET', `${configMaps}/a`)).body.trimEnd();

  const { body } = await request('GET', configMaps);

  const item = one.replace('"kind":"ConfigMap","apiVersion":"v1",', '');
  expect(body).toBe(
    `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"2"},"items":[${item}]}\n`,
  );
});

test('a list at a future version is refused after a timeout', async () => {
  const api = inMemoryApi({ resources: [{ kind: ConfigMap }] });

  const answer = await api.request('GET', `${configMaps}?resourceVersion=abc`);

  expect([answer.status, answer.json.message]).toEqual([
    400,
    'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  ]);
});

test('a watch from a version sends everything after it, in order', async () => {
  const { request, watchLines } = await filled('a');
  await request(
    'PATCH',
    `${configMaps}/a`,
    { data: { k: 'v' } },
    { 'content-type': 'application/merge-patch+json' },
  );
  await request('DELETE', `${configMaps}/a`);

  const events = await watchLines(`${configMaps}?watch=true&resourceVersion=2`, 2);

  expect(events).toMatchObject([
    { type: 'MODIFIED', object: { data: { k: 'v' }, metadata: { resourceVersion: '3' } } },
    { type: 'DELETED', object: { data: { k: 'v' }, metadata: { resourceVersion: '4' } } },
  ]);
});

test("an object that leaves a watch's selection arrives as DELETED", async () => {
  const api = inMemoryApi({ resources: [{ kind: ConfigMap }] });
  const { request, watchLines } = api;
  await request('POST', configMaps, { metadata: { name: 'a', labels: { on: 'yes' } } });
  const merge = { 'content-type': 'application/merge-patch+json' };
  await request('PATCH', `${configMaps}/a`, { metadata: { labels: { on: 'no' } } }, merge);

  const events = await watchLines(`${configMaps}?watch=true&resourceVersion=1&labelSelector=on%3Dyes`, 2);

  expect(events).toMatchObject([
    { type: 'ADDED' },
    { type: 'DELETED', object: { metadata: { labels: { on: 'yes' } } } },
  ]);
});

test('initial events end with an annotated bookmark', async () => {
  const { watchLines } = await filled('a', 'b');
  const query =
    'watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

  const events = (await watchLines(`${configMaps}?${query}`, 3)) as { type: string }[];

  expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'BOOKMARK']);
  expect(events[2]).toMatchObject({
    object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
  });
});

test("an unknown field selector is refused with its kind's message", async () => {
  const { request } = await filled();

  const answer = await request('GET', `${configMaps}?fieldSelector=data.k%3Dv`);

  expect([answer.status, answer.json.message]).toEqual([
    400,
    '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ]);
});

test('a Table has a row per object and the column definitions', async () => {
  const { request } = await filled('a', 'b');
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

  const table = (await request('GET', configMaps, undefined, { accept })).json;

  expect(table.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(['Name', 'Data', 'Age']);
  expect(table.rows.map(({ cells }: { cells: unknown[] }) => cells.slice(0, 2))).toEqual([
    ['a', 0],
    ['b', 0],
  ]);
});

test('an event is converted once for all watches that want the same table', async () => {
  let rendered = 0;
  const cell = (): string => `rendered ${++rendered}`;
  const behaviour = { ...ConfigMap.behaviour, columns: [{ name: 'Name', type: 'string', cell }] };
  const kind = { ...ConfigMap, behaviour } as unknown as Kind;
  const { request, watchLines } = inMemoryApi({ resources: [{ kind }] });
  const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  const lines = Array.from({ length: 5 }, () =>
    watchLines(`${configMaps}?watch=true&resourceVersion=1`, 1, table),
  );
  // All watches are open.
  await request('GET', configMaps);
  await request('POST', configMaps, configMap('a'));

  const events = (await Promise.all(lines)).flat();

  expect(events[0]).toMatchObject({
    type: 'ADDED',
    object: {
      kind: 'Table',
      metadata: { resourceVersion: '2' },
      columnDefinitions: [{ name: 'Name' }],
      rows: [{ cells: [expect.stringContaining('rendered')], object: { metadata: { name: 'a' } } }],
    },
  });
  expect(events).toEqual(events.map(() => events[0]));
});
