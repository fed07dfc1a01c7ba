import { expect, test } from 'vitest';
import { assignAddresses, type AssignInputs } from './assign-addresses.ts';

interface ServiceSketch {
  readonly port?: number;
  readonly protocol?: string;
  readonly age?: string;
  readonly spec?: object;
}

const service = (
  name: string,
  { port = 80, protocol = 'TCP', age = '01', spec = {} }: ServiceSketch = {},
) => ({
  metadata: { namespace: 'default', name, creationTimestamp: `2026-01-${age}T00:00:00Z` },
  spec: { type: 'LoadBalancer', ipFamilies: ['IPv4'], ports: [{ port, protocol }], ...spec },
});

const node = (name: string, addresses: Readonly<Record<string, string>>, more: object = {}) => ({
  metadata: { name, labels: {} },
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    addresses: Object.entries(addresses).map(([type, address]) => ({ type, address })),
    daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
  },
  ...more,
});

const slice = (of: string, nodeName: string, ready = true) => ({
  metadata: { namespace: 'default', name: `${of}-1`, labels: { 'kubernetes.io/service-name': of } },
  endpoints: [{ addresses: ['10.244.0.2'], conditions: { ready }, nodeName }],
});

const one = node('one', { InternalIP: '192.0.2.1' });
const two = node('two', { InternalIP: '192.0.2.2' });

const assigned = (inputs: object) => {
  const all = { services: [], nodes: [one, two], pods: [], slices: [], ...inputs } as unknown as AssignInputs;
  return Object.fromEntries(
    assignAddresses(all).map(({ service: { metadata }, addresses, conflict }) => [
      metadata.name,
      conflict ?? addresses,
    ]),
  );
};

test('a Service of type LoadBalancer has the addresses of all nodes', () => {
  const services = [service('web'), service('inner', { spec: { type: 'ClusterIP' } })];
  expect(assigned({ services })).toEqual({ web: ['192.0.2.1', '192.0.2.2'] });
});

test('an address that the world knows goes before one of the own network, and families must fit', () => {
  const nodes = [
    node('one', { InternalIP: '192.0.2.1', ExternalIP: '198.51.100.1' }),
    node('two', { InternalIP: 'fd00::2' }),
  ];
  expect(assigned({ nodes, services: [service('web')] })).toEqual({ web: ['198.51.100.1'] });
  expect(assigned({ nodes, services: [service('web', { spec: { ipFamilies: ['IPv6'] } })] })).toEqual({
    web: ['fd00::2'],
  });
});

test('nodes that are not ready, excluded or simulated have no part in it', () => {
  const unready = node('three', { InternalIP: '192.0.2.3' }, { status: { conditions: [] } });
  const excluded = {
    ...node('four', { InternalIP: '192.0.2.4' }),
    metadata: { name: 'four', labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': '' } },
  };
  const base = node('five', { InternalIP: '192.0.2.5' });
  const simulated = { ...base, status: { ...base.status, nodeInfo: { kernelVersion: 'simulated' } } };
  const nodes = [one, unready, excluded, simulated];
  expect(assigned({ nodes, services: [service('web')] })).toEqual({ web: ['192.0.2.1'] });
});

test('Services of other classes are left to others', () => {
  const services = [
    service('theirs', { spec: { loadBalancerClass: 'example.com/cloud' } }),
    service('named', { spec: { loadBalancerClass: 'coxswain.io/node-address' } }),
  ];
  expect(Object.keys(assigned({ services }))).toEqual(['named']);
});

test('the oldest Service gets the port, and the newer one learns which has it', () => {
  const services = [service('young', { age: '02' }), service('old'), service('udp', { protocol: 'UDP' })];
  expect(assigned({ services })).toEqual({
    old: ['192.0.2.1', '192.0.2.2'],
    udp: ['192.0.2.1', '192.0.2.2'],
    young: 'port TCP/80 of node one is taken by Service default/old',
  });
});

test('a port of a pod, of the kubelet and of the API server is not given away', () => {
  const pods = [
    {
      metadata: { namespace: 'default', name: 'ingress' },
      spec: { nodeName: 'one', containers: [{ ports: [{ hostPort: 80, containerPort: 80 }] }] },
    },
  ];
  const slices = [
    {
      metadata: {
        namespace: 'default',
        name: 'kubernetes',
        labels: { 'kubernetes.io/service-name': 'kubernetes' },
      },
      endpoints: [{ addresses: ['192.0.2.1'] }],
      ports: [{ port: 6443 }],
    },
  ];
  const services = [service('web'), service('kubelet', { port: 10_250 }), service('api', { port: 6443 })];
  expect(assigned({ services, pods, slices })).toEqual({
    web: ['192.0.2.2'],
    kubelet: 'port TCP/10250 of node one is taken by the kubelet',
    api: ['192.0.2.2'],
  });
});

test('with the policy Local, only nodes with ready endpoints take part', () => {
  const services = [service('web', { spec: { externalTrafficPolicy: 'Local' } })];
  expect(assigned({ services })).toEqual({ web: [] });
  expect(assigned({ services, slices: [slice('web', 'one', false), slice('web', 'two')] })).toEqual({
    web: ['192.0.2.2'],
  });
});
