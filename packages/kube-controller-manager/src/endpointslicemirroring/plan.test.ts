import { expect, test } from 'vitest';
import type { Endpoints, EndpointSlice } from '../objects.ts';
import { planMirror } from './plan.ts';

const ports = [{ name: 'p', port: 99, protocol: 'TCP' as const }];

const endpoints = (...ips: string[]): Endpoints => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name: 's', namespace: 'ns', uid: 'u', labels: { mine: 'y' }, annotations: { a: 'b' } },
  subsets: [{ addresses: ips.map((ip) => ({ ip })), ports }],
});

const named = (slice: EndpointSlice, name: string): EndpointSlice => ({
  ...slice,
  metadata: { ...slice.metadata, name },
});

const addressesOf = ({ endpoints: all }: EndpointSlice) => all.flatMap(({ addresses }) => addresses);

test('each family of addresses gets a slice with the labels and annotations of the endpoints', () => {
  const { create } = planMirror(endpoints('203.0.113.1', '2001:db8::1'), [], 1000);

  expect(create.map((slice) => [slice.addressType, addressesOf(slice)])).toEqual([
    ['IPv4', ['203.0.113.1']],
    ['IPv6', ['2001:db8::1']],
  ]);
  expect(create[0]!.metadata.labels).toEqual({
    mine: 'y',
    'kubernetes.io/service-name': 's',
    'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
  });
  expect(create[0]!.metadata.annotations).toEqual({ a: 'b' });
});

test('a slice that is up to date is left alone, and a different one is rewritten', () => {
  const slice = named(planMirror(endpoints('203.0.113.1'), [], 1000).create[0]!, 's-1');

  expect(planMirror(endpoints('203.0.113.1'), [slice], 1000)).toMatchObject({
    create: [],
    update: [],
    remove: [],
  });
  const { update } = planMirror(endpoints('203.0.113.2'), [slice], 1000);
  expect(update.map((one) => [one.metadata.name, addressesOf(one)])).toEqual([['s-1', ['203.0.113.2']]]);
});

test('excess addresses are omitted and counted', () => {
  const { create, invalid, skipped } = planMirror(endpoints('203.0.113.1', '203.0.113.2'), [], 1);

  expect(addressesOf(create[0]!)).toHaveLength(1);
  expect([invalid, skipped]).toEqual([0, 1]);
});

test('a slice of other ports becomes the new one', () => {
  const old = named(planMirror(endpoints('203.0.113.1'), [], 1000).create[0]!, 's-1');
  const other = { ...endpoints('203.0.113.1'), subsets: [{ addresses: [{ ip: '203.0.113.1' }] }] };

  const { create, update, remove } = planMirror(other, [old], 1000);
  expect([create.length, update.map(({ metadata }) => metadata.name), remove.length]).toEqual([
    0,
    ['s-1'],
    0,
  ]);
});
