import { expect, test } from 'vitest';
import type { EndpointSlice, Node } from '../objects.ts';
import { TopologyHints } from './topology-hints.ts';

const node = (zone: string, cpu: string): Node =>
  ({
    metadata: { labels: { 'topology.kubernetes.io/zone': zone } },
    status: { allocatable: { cpu }, conditions: [{ type: 'Ready', status: 'True' }] },
  }) as unknown as Node;

const slice = (...zones: string[]): EndpointSlice =>
  ({
    metadata: { name: 's' },
    endpoints: zones.map((zone, at) => ({
      addresses: [`10.0.0.${at}`],
      zone,
      conditions: { ready: true },
    })),
  }) as unknown as EndpointSlice;

const plan = (created: EndpointSlice) => ({ create: [created], update: [], remove: [] });

function hintsFor(nodes: Node[], created: EndpointSlice) {
  const hints = new TopologyHints(() => nodes);
  const { plan: hinted, events } = hints.apply('ns/s', 'IPv4', plan(created), []);
  const zones = hinted.create[0]!.endpoints!.map((endpoint) => endpoint.hints?.forZones?.[0]?.name);
  return { hints, zones, messages: events.map(({ message }) => message) };
}

test('endpoints serve the zones that they are in', () => {
  const { zones, messages } = hintsFor([node('a', '2'), node('b', '2')], slice('a', 'b'));

  expect(zones).toEqual(['a', 'b']);
  expect(messages).toEqual(['Topology Aware Hints has been enabled, addressType: IPv4']);
});

test('a zone with more than its share gives to one with less', () => {
  const { zones } = hintsFor([node('a', '2'), node('b', '2')], slice('a', 'a', 'a', 'a'));

  expect(zones.toSorted()).toEqual(['a', 'a', 'b', 'b']);
});

test('where it cannot be fair there are no hints', () => {
  const one = hintsFor([node('a', '2')], slice('a', 'a'));
  const few = hintsFor([node('a', '2'), node('b', '2')], slice('a'));

  expect(one.zones).toEqual([undefined, undefined]);
  expect(one.messages[0]).toContain('Insufficient Node information');
  expect(few.messages).toEqual([
    'Insufficient number of endpoints (1 endpoints, 2 zones), addressType: IPv4',
  ]);
});

test('a service is looked at again once its zones have changed', () => {
  const nodes = [node('a', '2'), node('b', '2')];
  const { hints } = hintsFor(nodes, slice('a', 'b'));

  expect(hints.nodesChanged()).toBe(true);
  expect(hints.overloaded()).toEqual([]);
  nodes[1] = node('c', '2');
  expect(hints.nodesChanged()).toBe(true);
  expect(hints.overloaded()).toEqual(['ns/s']);
  expect(hints.withdraw('ns/s', 'IPv4').map(({ reason }) => reason)).toEqual(['TopologyAwareHintsDisabled']);
  expect(hints.withdraw('ns/s', 'IPv4')).toEqual([]);
});
