/** Tests what the page computes before it draws. */

import { expect, test } from 'vitest';
import { barAt, fittingBands } from '../page/bands.ts';
import { causesOf, effectsOf, modelOf, momentsOf, related } from '../page/model.ts';
import { TimeScale } from '../page/time-scale.ts';
import { TreeRows } from '../page/tree-rows.ts';
import { ms, sample, step } from '../src/recording.fixture.ts';

const model = modelOf(sample);
const [command, request, reconcile] = model.undertakings;
const named = (name: string) => model.nodes.find(({ span }) => span.name === name)!;

test('filters are shown side by side, and end where the next one begins', () => {
  expect(request!.steps.map(({ span, endNs }) => [span.name, endNs / ms])).toEqual([
    ['authenticate', 3.5],
    ['authorize', 4],
    ['handler/post', 9],
  ]);
});

test('causes and effects are found in both directions', () => {
  expect(causesOf(model, request!)).toMatchObject([{ node: command, how: 'call' }]);
  expect(effectsOf(model, request!)).toMatchObject([
    { node: reconcile, how: 'revision 7, /registry/pods/default/web' },
  ]);
  expect(related(model, request!).size).toBe(3);
});

test('a tree has filters in one row, and effects below their causes', () => {
  const rows = new TreeRows(model).rows();
  expect(rows.map((row) => (row.kind === 'filters' ? 'filters' : row.node.span.name))).toEqual([
    'kubectl create -f pod.yaml',
    'run',
    'POST /api/v1/namespaces/default/pods',
    'filters',
    'handler/post',
    'decode',
    'encode',
    'encrypt',
    'storage.transact',
    'default/web',
  ]);
});

test('a folded node has a row once it is revealed', () => {
  const rows = new TreeRows(model);
  const has = (name: string) => rows.rows().some((row) => row.kind === 'node' && row.node === named(name));
  expect(has('authorize')).toBe(false);
  rows.reveal(named('authorize'));
  expect(has('authorize')).toBe(true);
});

test('a long idle time is compressed, and maps back', () => {
  const scale = new TimeScale(new Float64Array([0, 10, 1000, 1010].map((at) => at * ms)), 0, 1010 * ms);
  expect(scale.gaps).toHaveLength(1);
  expect(scale.length).toBeLessThan(200 * ms);
  for (const moment of [0, 5, 10, 500, 1000, 1005, 1010])
    expect(scale.moment(scale.along(moment * ms)) / ms).toBeCloseTo(moment, 6);
});

test('the bar under the pointer is found, and a thin one from nearby', () => {
  const bands = fittingBands(model, new Map(), 1000);
  const handler = named('handler/post');
  const [band] = bands.filter(({ name }) => name === 'kube-apiserver');
  expect(barAt(bands, band!.top + 5, 5 * ms, 0)?.node).toBe(request);
  expect(barAt(bands, band!.top + 25, 5 * ms, 0)?.node).toBe(handler);
  expect(barAt(bands, band!.top + 5, 9.5 * ms, ms)?.node).toBe(request);
  expect(barAt(bands, band!.top + 5, 50 * ms, ms)).toBeUndefined();
});

test('watches have a band of their own, below everything else', () => {
  const [first, second, third] = sample.undertakings;
  const watch = { ...second!, id: 'w', name: 'GET /api/v1/pods?allowWatchBookmarks=true&watch=true' };
  const { bands } = modelOf({ ...sample, undertakings: [first!, watch, second!, third!] });
  expect(bands).toEqual(['kubectl', 'kube-apiserver', 'replicaset-controller', 'watches of kube-apiserver']);
});

test('steps are drawn as deep as there is room', () => {
  const rowsOf = (height: number) =>
    Math.max(
      ...fittingBands(model, new Map(), height).flatMap(({ lanes }) => lanes.map(({ rows }) => rows.length)),
    );
  expect(rowsOf(1000)).toBe(3);
  expect(rowsOf(100)).toBe(1);
});

test('overlapping steps of an undertaking have separate rows', () => {
  const [first] = sample.undertakings;
  const informers = [0, 1, 2].map((at) => step(`informer/${at}`, at, 5, { steps: [step('list', at, 1)] }));
  const steps = [...informers, step('after', 9, 1)];
  const parallel = modelOf({ ...sample, undertakings: [{ ...first!, steps }] });
  const [band] = fittingBands(parallel, new Map(), 1000);
  expect(band!.lanes[0]!.rows.map((row) => row.map(({ span }) => span.name))).toEqual([
    ['kubectl create -f pod.yaml'],
    ['informer/0', 'after'],
    ['list', 'informer/1'],
    ['list', 'informer/2'],
    ['list'],
  ]);
});

test('every time at which something began or ended is drawn to scale', () => {
  expect(momentsOf(model)).toHaveLength(2 * model.nodes.length + 2);
});
