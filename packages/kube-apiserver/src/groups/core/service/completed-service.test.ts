import type { Service } from '@coxswain/api/core/v1/service.ts';
import { expect, test } from 'vitest';
import { completeStored } from './completed-service.ts';

const service = (spec: object) => ({ metadata: { name: 'web' }, spec }) as unknown as Service;
const completed = (spec: object) => completeStored(service(spec), 'IPv4').spec;

test('a service that has everything is the same object', () => {
  const whole = service({
    type: 'ClusterIP',
    clusterIP: '1.2.3.4',
    clusterIPs: ['1.2.3.4'],
    ipFamilies: ['IPv4'],
  });
  expect(completeStored(whole, 'IPv4')).toBe(whole);
});

test.each([
  ['of one address', { clusterIP: 'fd00::1' }, ['IPv6'], 'SingleStack'],
  [
    'of two',
    { clusterIP: 'fd00::1', clusterIPs: ['fd00::1', '1.2.3.4'] },
    ['IPv6', 'IPv4'],
    'RequireDualStack',
  ],
  ['headless', { clusterIP: 'None', selector: { a: 'b' } }, ['IPv4'], 'SingleStack'],
  ['headless without selector', { clusterIP: 'None' }, ['IPv4', 'IPv6'], 'RequireDualStack'],
])('an old one %s gets its families', (_, spec, ipFamilies, ipFamilyPolicy) => {
  expect(completed({ type: 'ClusterIP', ...spec })).toMatchObject({ ipFamilies, ipFamilyPolicy });
});

test('an external name shows no policy for traffic inside', () => {
  expect(completed({ type: 'ExternalName', internalTrafficPolicy: 'Cluster' })).toEqual({
    type: 'ExternalName',
  });
});
