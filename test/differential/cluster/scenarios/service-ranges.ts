/** Ranges of addresses of services, and the addresses taken out of them. */
import type { Json, Scenario, Step } from '../scenario.ts';
import { create, item, patch, remove, scenario, untilGone, view, wait } from './building.ts';

const range = (name: string, ...cidrs: string[]): Step => ({
  ...create('ServiceCIDR', `${name}-$id`, { spec: { cidrs } }),
  full: true,
});
const service = (name: string, clusterIP: Json): Step =>
  create('Service', name, { spec: { clusterIP, ports: [{ port: 80 }] } });
const reported = (name: string) => item('ServiceCIDR', `${name}-$id`);

export const serviceRangeScenarios: readonly Scenario[] = [
  scenario(
    'range-unused',
    range('r', '10.21.0.0/28'),
    wait(800),
    view('ready', reported('r')),
    remove('ServiceCIDR', 'r-$id'),
    untilGone(reported('r')),
  ),
  scenario(
    'ranges-that-contain-each-other',
    range('wide', '10.22.0.0/24'),
    range('narrow', '10.22.0.0/28'),
    wait(1000),
    service('s', '10.22.0.5'),
    wait(500),
    remove('ServiceCIDR', 'narrow-$id'),
    wait(1500),
    view('narrow gone', reported('wide')),
    remove('ServiceCIDR', 'wide-$id'),
    wait(1500),
    view('wide held', reported('wide')),
    remove('Service', 's'),
    untilGone(reported('wide')),
  ),
  scenario(
    'range-of-both-families',
    range('dual', '10.23.0.0/28', 'fd00:23::/120'),
    wait(800),
    view('ready', reported('dual')),
    remove('ServiceCIDR', 'dual-$id'),
    untilGone(reported('dual')),
  ),
  scenario(
    'ranges-refused',
    range('odd', '10.24.0.1/28'),
    range('same', '10.25.0.0/28', '10.26.0.0/28'),
    range('none'),
    range('word', 'x'),
  ),
  scenario(
    'range-cannot-change',
    range('r', '10.27.0.0/28'),
    wait(500),
    patch('ServiceCIDR', 'r-$id', { spec: { cidrs: ['10.28.0.0/28'] } }),
    remove('ServiceCIDR', 'r-$id'),
  ),
  scenario(
    'range-deleted-then-address-asked',
    range('r', '10.29.0.0/28'),
    wait(800),
    service('held', '10.29.0.3'),
    wait(500),
    remove('ServiceCIDR', 'r-$id'),
    wait(1500),
    view('terminating', reported('r')),
    { ...service('late', '10.29.0.4'), full: true },
    remove('Service', 'held'),
    untilGone(reported('r')),
  ),
  scenario(
    'range-with-finalizer-of-somebody',
    create('ServiceCIDR', 'r-$id', {
      metadata: { finalizers: ['x.org/hold'] },
      spec: { cidrs: ['10.30.0.0/28'] },
    }),
    wait(800),
    remove('ServiceCIDR', 'r-$id'),
    wait(1200),
    view('held', reported('r')),
    patch('ServiceCIDR', 'r-$id', { metadata: { finalizers: null } }),
    untilGone(reported('r')),
  ),
  scenario(
    'address-outside-every-range',
    { ...service('s', '10.99.0.5'), full: true },
    { ...service('t', '10.0.0.0'), full: true },
    { ...service('u', '10.0.0.255'), full: true },
  ),
  scenario(
    'address-without-service',
    create('IPAddress', '10.31.0.9', {
      spec: { parentRef: { group: '', resource: 'services', namespace: '$ns', name: 'none' } },
    }),
    wait(1500),
    view('after', { get: item('IPAddress', '10.31.0.9') }),
    remove('IPAddress', '10.31.0.9'),
  ),
  scenario(
    'service-type-changed',
    service('s', undefined as unknown as Json),
    patch('Service', 's', { spec: { type: 'ExternalName', externalName: 'a.org' } }),
    wait(500),
    view('external', 'Service', 'EndpointSlice'),
    patch('Service', 's', { spec: { type: 'ClusterIP', externalName: null } }),
    wait(500),
    view('internal', 'Service', 'EndpointSlice', 'Endpoints'),
  ),
];
