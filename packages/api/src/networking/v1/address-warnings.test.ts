import { expect, test } from 'vitest';
import { Endpoints } from '../../core/v1/endpoints.ts';
import { Service } from '../../core/v1/service.ts';
import { EndpointSlice } from '../../discovery/v1/endpoint-slice.ts';
import { NetworkPolicy } from './network-policy.ts';

const odd = '"FD00::1" should be in RFC 5952 canonical format ("fd00::1")';

/** Every feature is enabled. */
const all = { enabled: () => true, minCompatibility: 35 };

test('endpoints are warned of, unless the controller wrote them', () => {
  const subsets = [
    { addresses: [{ ip: 'FD00::1' }], notReadyAddresses: [{ ip: '1.2.3.4' }, { ip: 'FD00::1' }] },
  ];
  const warnings = (labels: Record<string, string>) =>
    Endpoints.behaviour.warnings!({ metadata: { labels }, subsets } as never, undefined, all);

  expect(warnings({})).toEqual([
    `subsets[0].addresses[0].ip: IPv6 address ${odd}`,
    `subsets[0].notReadyAddresses[1].ip: IPv6 address ${odd}`,
  ]);
  expect(warnings({ 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' })).toEqual([]);
});

test('a slice of names is warned of when it is new', () => {
  const slice = { metadata: {}, addressType: 'FQDN', endpoints: [{ addresses: ['example.com'] }] } as never;

  expect(EndpointSlice.behaviour.warnings!(slice, undefined, all)).toEqual([
    'spec.addressType: FQDN endpoints are deprecated',
  ]);
  expect(EndpointSlice.behaviour.warnings!(slice, slice, all)).toEqual([]);
});

test('blocks of network policies are warned of in both directions', () => {
  const ipBlock = { cidr: '10.0.0.1/8', except: ['FD00::/64'] };
  const spec = { ingress: [{ from: [{}, { ipBlock }] }], egress: [{ to: [{ ipBlock }] }] };

  expect(NetworkPolicy.behaviour.warnings!({ metadata: {}, spec } as never, undefined, all)).toEqual([
    'spec.ingress[0].from[1].ipBlock.cidr: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
    'spec.ingress[0].from[1].ipBlock.except[0]: IPv6 CIDR value "FD00::/64" should be in RFC 5952 canonical format ("fd00::/64")',
    'spec.egress[0].to[0].ipBlock.cidr: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
    'spec.egress[0].to[0].ipBlock.except[0]: IPv6 CIDR value "FD00::/64" should be in RFC 5952 canonical format ("fd00::/64")',
  ]);
});

test('the path of a load balancer ends before the address', () => {
  const service = { status: { loadBalancer: { ingress: [{ ip: 'FD00::1' }] } } } as never;

  expect(Service.behaviour.statusWarnings!(service, service)).toEqual([
    `status.loadBalancer.ingress[0]: IPv6 address ${odd}`,
  ]);
});
