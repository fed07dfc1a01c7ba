import { expect, test } from 'vitest';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { refusalOf } from './admit.ts';

const asking = (requests: object): Pod =>
  ({
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', resources: { requests } }] },
  }) as unknown as Pod;

const allocatable = { cpu: '2', pods: '10', 'example.com/gadget': '1' };

test.each([
  ['what it has is enough', { cpu: '2', 'example.com/gadget': '1' }, undefined],
  ['there is too little', { 'example.com/gadget': '2' }, 'OutOfexample.com/gadget'],
  ['no node knows of it', { 'example.com/licence': '2' }, undefined],
  ['it is a resource of every node', { memory: '1' }, 'OutOfmemory'],
])('a pod that asks for resources where %s', (_, requests, reason) => {
  expect(refusalOf(asking(requests), [], allocatable, {})?.reason).toBe(reason);
});
