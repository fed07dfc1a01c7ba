/** ServiceCIDRs and IPAddresses: names, ranges and references in every form, what may change of them, and what holds them. */
import { applyPatch, ask, mergePatch, type DifferentialCase } from './case.ts';

const networking = '/apis/networking.k8s.io/v1';
const ranges = `${networking}/servicecidrs`;
const addresses = `${networking}/ipaddresses`;
const pick = [
  'kind',
  'message',
  'reason',
  'code',
  'details.causes',
  'spec',
  'status',
  'metadata.finalizers',
  'metadata.labels',
  'metadata.deletionTimestamp',
];

const cidrs: readonly unknown[] = [
  undefined,
  null,
  [],
  'x',
  ['10.1.0.0/16'],
  ['10.1.0.1/16'],
  ['10.1.0.0'],
  ['010.1.0.0/16'],
  ['10.1.0.0/33'],
  ['10.1.0.0/32'],
  ['10.1.0.0/31'],
  ['10.1.0.0/0'],
  [''],
  ['x'],
  [1],
  ['2001:db8::/64'],
  ['2001:DB8::/64'],
  ['2001:db8:0::/64'],
  ['2001:db8::1/64'],
  ['::ffff:10.1.0.0/112'],
  ['2001:db8::/128'],
  ['10.1.0.0/16', '2001:db8::/64'],
  ['2001:db8::/64', '10.1.0.0/16'],
  ['10.1.0.0/16', '10.2.0.0/16'],
  ['10.1.0.0/16', '10.1.0.0/16'],
  ['2001:db8::/64', '2001:db8:1::/64'],
  ['10.1.0.0/16', '2001:db8::/64', '10.2.0.0/16'],
  ['10.1.0.0/16', 'x'],
];

const names = [
  '192.0.2.1',
  '192.0.2.01',
  '192.0.2',
  '2001:db8::1',
  '2001:DB8::1',
  '2001:db8:0::1',
  '::ffff:192.0.2.1',
  'a',
  '',
  '0.0.0.0',
  '::',
  '192.0.2.1/32',
  'fe80::1%eth0',
];
const parent = { group: '', resource: 'services', namespace: 'default', name: 'kubernetes' };
const parents: readonly unknown[] = [
  undefined,
  null,
  {},
  parent,
  { ...parent, group: 'apps' },
  { ...parent, group: 'A_' },
  { ...parent, resource: '' },
  { ...parent, resource: 'Services' },
  { ...parent, resource: 'a/b' },
  { ...parent, name: '' },
  { ...parent, name: 'A/b' },
  { ...parent, namespace: '' },
  { ...parent, namespace: 'A_' },
  { ...parent, name: '..' },
  { resource: 'nodes', name: 'n' },
  'x',
];

export const cases: readonly DifferentialCase[] = [
  {
    name: 'ranges',
    steps: cidrs.flatMap((given) => [
      ask(`POST ${ranges}?dryRun=All`, { metadata: { name: '$id' }, spec: { cidrs: given } }, { pick }),
      ask(
        `PATCH ${ranges}/$id?dryRun=All&fieldManager=m`,
        {
          apiVersion: 'networking.k8s.io/v1',
          kind: 'ServiceCIDR',
          metadata: { name: '$id' },
          spec: { cidrs: given },
        },
        { ...applyPatch, pick },
      ),
    ]),
  },
  {
    name: 'changes of ranges',
    steps: [
      ask(`POST ${ranges}`, { metadata: { name: '$id' }, spec: { cidrs: ['10.77.0.0/24'] } }, { pick }),
      ...cidrs.map((given) =>
        ask(`PATCH ${ranges}/$id?dryRun=All`, { spec: { cidrs: given } }, { ...mergePatch, pick }),
      ),
      ask(
        `PATCH ${ranges}/$id?dryRun=All`,
        { spec: { cidrs: ['10.77.0.0/24', '2001:db8::/64'] } },
        { ...mergePatch, pick },
      ),
      ask(`PATCH ${ranges}/$id`, { status: { conditions: [{ type: 'Ready' }] } }, { ...mergePatch, pick }),
      ask(
        `PATCH ${ranges}/$id/status`,
        { status: { conditions: [{ type: 'Ready' }] } },
        { ...mergePatch, pick },
      ),
      ask(
        `PATCH ${ranges}/$id/status`,
        {
          spec: { cidrs: ['10.78.0.0/24'] },
          metadata: { labels: { a: 'b' } },
          status: {
            conditions: [
              {
                type: 'Ready',
                status: 'True',
                reason: 'x',
                message: '',
                lastTransitionTime: '2024-01-01T00:00:00Z',
              },
            ],
          },
        },
        { ...mergePatch, pick },
      ),
      ask(`DELETE ${ranges}/$id`, undefined, { pick }),
      ask(`GET ${ranges}/$id`, undefined, { pick }),
      ask(`GET ${ranges}?fieldSelector=spec.cidrs=10.77.0.0/24`, undefined, { pick }),
    ],
    cleanup: [ask(`PATCH ${ranges}/$id`, { metadata: { finalizers: null } }, mergePatch)],
  },
  {
    name: 'addresses',
    steps: [
      ...names.map((name) =>
        ask(`POST ${addresses}?dryRun=All`, { metadata: { name }, spec: { parentRef: parent } }, { pick }),
      ),
      ...parents.map((parentRef) =>
        ask(
          `POST ${addresses}?dryRun=All`,
          { metadata: { name: '192.0.2.1' }, spec: { parentRef } },
          { pick },
        ),
      ),
      ask(`POST ${addresses}?dryRun=All`, { metadata: { name: '192.0.2.1' } }, { pick }),
      ask(
        `POST ${addresses}?dryRun=All`,
        { metadata: { generateName: '192.0.2.' }, spec: { parentRef: parent } },
        { pick: ['reason', 'code'] },
      ),
    ],
  },
  {
    name: 'changes of addresses',
    serial: true,
    steps: [
      ask(`POST ${addresses}`, { metadata: { name: '192.0.2.77' }, spec: { parentRef: parent } }, { pick }),
      ...parents.map((parentRef) =>
        ask(`PATCH ${addresses}/192.0.2.77?dryRun=All`, { spec: { parentRef } }, { ...mergePatch, pick }),
      ),
      ask(
        `GET ${addresses}?fieldSelector=${encodeURIComponent('spec.parentRef.name=kubernetes')}`,
        undefined,
        { pick },
      ),
      ask(`DELETE ${addresses}/192.0.2.77`, undefined, { pick }),
    ],
    cleanup: [ask(`DELETE ${addresses}/192.0.2.77`)],
  },
];
