import { expect, test } from 'vitest';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { admit, type HostNode } from './admit.ts';

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
  expect(admit(asking(requests), [], {}, allocatable).shortages[0]?.reason).toBe(reason);
});

const refusalsOf = (pod: object, node: HostNode): readonly string[] =>
  admit(pod as Pod, [], node, allocatable).refusals.map(({ reason }) => reason);
const affinity = (operator: string, ...values: string[]) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'disk', operator, values }] }],
    },
  },
});

test.each([
  ['its labels fit', { affinity: affinity('In', 'ssd') }, []],
  ['a required term is not met', { affinity: affinity('NotIn', 'ssd') }, ['NodeAffinity']],
  ['a label is another', { nodeSelector: { disk: 'tape' } }, ['NodeAffinity']],
  ['it is for another system', { os: { name: 'windows' } }, ['PodOSNotSupported']],
  [
    'it wants strict groups, which the runtime does not know',
    { securityContext: { supplementalGroupsPolicy: 'Strict' } },
    ['SupplementalGroupsPolicyNotSupported'],
  ],
])('a pod that was bound to a node where %s', (_, spec, reasons) => {
  const node = { metadata: { name: 'n', labels: { disk: 'ssd' } } } as unknown as HostNode;
  expect(refusalsOf({ spec: { containers: [], ...spec } }, node)).toEqual(reasons);
});

test('a node whose taint ends pods takes none that does not tolerate it; one that only keeps the scheduler off, all', () => {
  const tainted = (effect: string) => ({ spec: { taints: [{ key: 'k', effect }] } }) as unknown as HostNode;
  expect(refusalsOf({ spec: {} }, tainted('NoSchedule'))).toEqual([]);
  expect(refusalsOf({ spec: {} }, tainted('NoExecute'))).toEqual(['TaintToleration']);
  const tolerations = [{ key: 'k', operator: 'Exists' }];
  expect(refusalsOf({ spec: { tolerations } }, tainted('NoExecute'))).toEqual([]);
  const annotations = { 'kubernetes.io/config.source': 'file' };
  expect(refusalsOf({ metadata: { annotations }, spec: {} }, tainted('NoExecute'))).toEqual([]);
});

const withHostPorts = (ports: readonly object[]): Pod =>
  ({ spec: { containers: [{ name: 'c', ports }] } }) as unknown as Pod;

test.each([
  ['of another number', { hostPort: 81 }, []],
  ['of another protocol', { hostPort: 80, protocol: 'UDP' }, []],
  ['of another address', { hostPort: 80, hostIP: '10.0.0.2' }, []],
  ['of the same address', { hostPort: 80, hostIP: '10.0.0.1' }, ['NodePorts']],
  ['of all addresses', { hostPort: 80 }, ['NodePorts']],
])('a pod that wants a host port %s beside one that has port 80 of an address', (_, port, reasons) => {
  const other = withHostPorts([{ hostPort: 80, hostIP: '10.0.0.1' }]);
  const { refusals } = admit(withHostPorts([port]), [other], {}, allocatable);
  expect(refusals.map(({ reason }) => reason)).toEqual(reasons);
});
