import { expect, test } from 'vitest';
import { withForeignResources, type NodeResources } from './foreign-resources.ts';

const own = {
  capacity: { cpu: '2', 'example.com/gadget': '3' },
  allocatable: { cpu: '1500m', 'example.com/gadget': '2' },
};

test.each<readonly [string, NodeResources, NodeResources]>([
  ['nothing is known of the node', {}, own],
  ['only its own is', own, own],
  [
    'somebody has added to the capacity',
    { ...own, capacity: { ...own.capacity, 'example.com/fakecpu': '1000' } },
    {
      capacity: { ...own.capacity, 'example.com/fakecpu': '1000' },
      allocatable: { ...own.allocatable, 'example.com/fakecpu': '1000' },
    },
  ],
  [
    'somebody says more of what may be used than there is',
    {
      capacity: { ...own.capacity, 'example.com/fakecpu': '10' },
      allocatable: { ...own.allocatable, 'example.com/fakecpu': '20' },
    },
    {
      capacity: { ...own.capacity, 'example.com/fakecpu': '10' },
      allocatable: { ...own.allocatable, 'example.com/fakecpu': '10' },
    },
  ],
  [
    'somebody has taken out what was added',
    { ...own, allocatable: { ...own.allocatable, 'example.com/fakecpu': '1000' } },
    { ...own, allocatable: { ...own.allocatable, 'example.com/fakecpu': null } },
  ],
  ['others are wrong about its own', { capacity: { cpu: '64' }, allocatable: { cpu: '64' } }, own],
])('when %s, the node says its own and theirs', (_, known, reported) => {
  expect(withForeignResources(own, known)).toEqual(reported);
});
