import { expect, test } from 'vitest';
import type { Node, Pod, Service } from '../objects.ts';
import { endpointsPerSliceMax, planSlices } from './plan.ts';

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default', uid: 'service-uid' },
  spec: {
    selector: { app: 'web' },
    clusterIP: '10.96.0.10',
    ipFamilies: ['IPv4'],
    ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }],
  },
} as unknown as Service;

const pod = (index: number, ready = true): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `web-${index}`, namespace: 'default', uid: `uid-${index}` },
    spec: { containers: [], nodeName: 'n1' },
    status: {
      phase: 'Running',
      podIP: `10.0.${Math.floor(index / 250)}.${index % 250}`,
      podIPs: [{ ip: `10.0.${Math.floor(index / 250)}.${index % 250}` }],
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    },
  }) as unknown as Pod;

const pods = (count: number): Pod[] => Array.from({ length: count }, (_, index) => pod(index));
const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } } as unknown as Node;
const nodeOf = () => node;

test('many pods are spread over slices of a bounded size', () => {
  const plan = planSlices(service, pods(250), nodeOf, []);
  const counts = plan.create.map(({ endpoints }) => endpoints.length);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(250);
  expect(Math.max(...counts)).toBeLessThanOrEqual(endpointsPerSliceMax);
});

test('slices that are up to date are not written again', () => {
  const { create } = planSlices(service, pods(3), nodeOf, []);
  expect(planSlices(service, pods(3), nodeOf, create)).toEqual({ create: [], update: [], remove: [] });
});

test('ports are sorted by their hashes, as upstream', () => {
  const ports = [
    { name: 'http', port: 80, targetPort: 8001, protocol: 'TCP' },
    { name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' },
  ];
  const { create } = planSlices(
    { ...service, spec: { ...service.spec, ports } } as Service,
    pods(1),
    nodeOf,
    [],
  );
  expect(create[0]?.ports?.map(({ name }) => name)).toEqual(['dns', 'http']);
});

test('a pod that is no longer ready changes only its slice', () => {
  const { create } = planSlices(service, pods(3), nodeOf, []);
  const plan = planSlices(service, [pod(0), pod(1), pod(2, false)], nodeOf, create);
  expect([plan.create.length, plan.update.length, plan.remove.length]).toEqual([0, 1, 0]);
  expect(plan.update[0]?.endpoints.map(({ conditions }) => conditions?.ready)).toContain(false);
});

test('slices of an address family that the service gave up go', () => {
  const { create } = planSlices(service, pods(1), nodeOf, []);
  const other = { ...create[0]!, addressType: 'IPv6' as const };
  expect(planSlices(service, pods(1), nodeOf, [create[0]!, other]).remove).toEqual([other]);
});

test('pods on a node that is not known are left out', () => {
  const plan = planSlices(service, pods(2), () => undefined, []);
  expect(plan.create.flatMap(({ endpoints }) => endpoints)).toEqual([]);
});
