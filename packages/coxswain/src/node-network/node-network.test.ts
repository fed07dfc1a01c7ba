import { expect, test } from 'vitest';
import { routeChanges, routesTo } from './host-routes.ts';

const node = (name: string, podCIDRs: readonly string[] | undefined, ...addresses: readonly string[]) =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: podCIDRs === undefined ? {} : { podCIDRs },
    status: { addresses: addresses.map((address) => ({ type: 'InternalIP', address })) },
  }) as unknown as Parameters<typeof routesTo>[0][number];

test('the pods of every other node are reached through its address, of the same family', () => {
  const nodes = [
    node('own', ['10.244.0.0/24'], '192.0.2.1'),
    node('both', ['10.244.1.0/24', 'fd00:1::/64'], 'fd00::2', '192.0.2.2'),
    node('no-range-yet', undefined, '192.0.2.3'),
    node('no-address-yet', ['10.244.4.0/24']),
  ];

  expect(routesTo(nodes, 'own')).toEqual([
    { destination: '10.244.1.0/24', gateway: '192.0.2.2' },
    { destination: 'fd00:1::/64', gateway: 'fd00::2' },
  ]);
});

test('routes that are right are left alone, others are replaced, and those of nodes that are gone go', () => {
  const right = { destination: '10.244.1.0/24', gateway: '192.0.2.2' };
  const moved = { destination: '10.244.2.0/24', gateway: '192.0.2.3' };
  const gone = { destination: '10.244.3.0/24', gateway: '192.0.2.4' };

  expect(routeChanges([right, { ...moved, gateway: '192.0.2.9' }, gone], [right, moved])).toEqual({
    set: [moved],
    remove: [gone],
  });
});
