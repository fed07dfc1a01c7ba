/** Claims of devices: what is asked of them, who shares them, what happens to them. */
import type { JsonObject, NodeSpec, Scenario, Step, View } from '../scenario.ts';
import {
  collection,
  container,
  create,
  events,
  item,
  onNodes,
  patch,
  placed,
  pod,
  remove,
  view,
  wait,
} from './building.ts';

const driver = 'gpu.example.com';
const two: NodeSpec[] = [{ name: 'a' }, { name: 'b' }];
const deviceClass = (spec: JsonObject = {}, name = 'gpu-$id'): Step => create('DeviceClass', name, { spec });
const slice = (nodeName: string, devices: JsonObject[], more: JsonObject = {}): Step =>
  create('ResourceSlice', `${nodeName}-$id`, {
    spec: {
      driver,
      nodeName,
      pool: { name: nodeName, generation: 1, resourceSliceCount: 1 },
      devices,
      ...more,
    },
  });
const device = (name: string, more: JsonObject = {}): JsonObject => ({ name, ...more });
const request = (more: JsonObject = {}, name = 'r'): JsonObject => ({
  name,
  exactly: { deviceClassName: 'gpu-$id', ...more },
});
const claim = (name: string, devices: JsonObject, metadata: JsonObject = {}): Step =>
  create('ResourceClaim', name, { metadata, spec: { devices } });
const simple = (name: string, more: JsonObject = {}) => claim(name, { requests: [request(more)] });
const using = (name: string, claimName: string, spec: JsonObject = {}, run?: string): Step =>
  pod(name, {
    ...(run && { run }),
    spec: {
      containers: [container(undefined, { resources: { claims: [{ name: 'dev' }] } })],
      resourceClaims: [{ name: 'dev', resourceClaimName: claimName }],
      terminationGracePeriodSeconds: 0,
      ...spec,
    },
  });
const fromTemplate = (name: string, templateName: string, run?: string, spec: JsonObject = {}): Step =>
  pod(name, {
    ...(run && { run }),
    spec: {
      containers: [container(undefined, { resources: { claims: [{ name: 'dev' }] } })],
      resourceClaims: [{ name: 'dev', resourceClaimTemplateName: templateName }],
      ...spec,
    },
  });
const template = (name: string, devices: JsonObject): Step =>
  create('ResourceClaimTemplate', name, { spec: { spec: { devices } } });
const claims: View = { get: collection('ResourceClaim'), drop: ['status.allocation.allocationTimestamp'] };
const seen = (name: string): Step => view(name, placed, claims);
const clean: Step[] = [
  ...['gpu-$id', 'big-$id'].map((name) => remove('DeviceClass', name)),
  ...['a-$id', 'b-$id'].map((name) => remove('ResourceSlice', name)),
];
const play = (name: string, ...steps: Step[]): Scenario =>
  onNodes(name, two, ...steps, wait(1000), seen('end'), events(), ...clean);
const memory = (value: string): JsonObject => ({ capacity: { memory: { value } } });
const cel = (expression: string): JsonObject => ({ selectors: [{ cel: { expression } }] });

export const deviceClaimScenarios: readonly Scenario[] = [
  play(
    'claim-of-two-devices',
    deviceClass(),
    slice('b', [device('d0'), device('d1')]),
    simple('c', { count: 2 }),
    using('p', 'c'),
  ),
  play(
    'claim-of-too-many',
    deviceClass(),
    slice('b', [device('d0')]),
    simple('c', { count: 2 }),
    using('p', 'c'),
  ),
  play(
    'claim-of-all',
    deviceClass(),
    slice('b', [device('d0'), device('d1')]),
    simple('c', { allocationMode: 'All' }),
    using('p', 'c'),
  ),
  play(
    'claim-of-all-where-one-is-taken',
    deviceClass(),
    slice('b', [device('d0'), device('d1')]),
    simple('one'),
    using('p', 'one'),
    wait(1500),
    simple('all', { allocationMode: 'All' }),
    using('q', 'all'),
  ),
  play(
    'claim-by-attribute',
    deviceClass(),
    slice('a', [device('d0', { attributes: { model: { string: 'old' }, cores: { int: 2 } } })]),
    slice('b', [device('d1', { attributes: { model: { string: 'new' }, cores: { int: 8 } } })]),
    simple(
      'c',
      cel(`device.attributes["${driver}"].cores > 4 && device.attributes["${driver}"].model == "new"`),
    ),
    using('p', 'c'),
  ),
  play(
    'claim-by-capacity',
    deviceClass(cel(`device.driver == "${driver}"`)),
    slice('a', [device('d0', memory('1Gi'))]),
    slice('b', [device('d1', memory('8Gi'))]),
    simple('c', cel(`device.capacity["${driver}"].memory.compareTo(quantity("4Gi")) >= 0`)),
    using('p', 'c'),
  ),
  play(
    'claim-expression-fails',
    deviceClass(),
    slice('b', [device('d0')]),
    simple('c', cel(`device.attributes["${driver}"].none == 1`)),
    using('p', 'c'),
  ),
  play(
    'claim-matching-attribute',
    deviceClass(),
    slice('a', [
      device('d0', { attributes: { numa: { int: 0 } } }),
      device('d1', { attributes: { numa: { int: 1 } } }),
    ]),
    slice('b', [
      device('d2', { attributes: { numa: { int: 1 } } }),
      device('d3', { attributes: { numa: { int: 1 } } }),
    ]),
    claim('c', {
      requests: [request({}, 'one'), request({}, 'other')],
      constraints: [{ requests: ['one', 'other'], matchAttribute: `${driver}/numa` }],
    }),
    using('p', 'c'),
  ),
  play(
    'claim-distinct-attribute',
    deviceClass(),
    slice('b', [
      device('d0', { attributes: { numa: { int: 1 } } }),
      device('d1', { attributes: { numa: { int: 1 } } }),
      device('d2', { attributes: { numa: { int: 2 } } }),
    ]),
    claim('c', {
      requests: [request({ count: 2 })],
      constraints: [{ requests: ['r'], matchAttribute: `${driver}/numa` }],
    }),
    using('p', 'c'),
  ),
  play(
    'claim-first-available',
    deviceClass(cel(`device.capacity["${driver}"].memory.compareTo(quantity("4Gi")) < 0`)),
    deviceClass(cel(`device.capacity["${driver}"].memory.compareTo(quantity("4Gi")) >= 0`), 'big-$id'),
    slice('b', [device('d0', memory('1Gi'))]),
    claim('c', {
      requests: [
        {
          name: 'r',
          firstAvailable: [
            { name: 'big', deviceClassName: 'big-$id' },
            { name: 'small', deviceClassName: 'gpu-$id' },
          ],
        },
      ],
    }),
    using('p', 'c'),
  ),
  play(
    'claim-shared-by-two-pods',
    deviceClass(),
    slice('b', [device('d0')]),
    simple('c'),
    using('p', 'c'),
    wait(1500),
    using('q', 'c'),
    wait(1500),
    seen('shared'),
    remove('Pod', 'p'),
    wait(1500),
    seen('one left'),
    remove('Pod', 'q'),
  ),
  play(
    'claim-of-finished-pod',
    deviceClass(),
    slice('b', [device('d0')]),
    simple('c'),
    using('p', 'c', { restartPolicy: 'Never' }, 'succeed'),
    wait(2000),
    simple('d'),
    using('q', 'd'),
  ),
  play(
    'claim-deleted-while-used',
    deviceClass(),
    slice('b', [device('d0')]),
    simple('c'),
    using('p', 'c'),
    wait(1500),
    remove('ResourceClaim', 'c'),
    wait(1000),
    seen('terminating'),
    remove('Pod', 'p'),
  ),
  play(
    'claim-deleted-before-use',
    deviceClass(),
    slice('b', [device('d0')]),
    simple('c'),
    remove('ResourceClaim', 'c'),
    using('p', 'c'),
  ),
  play(
    'claim-of-class-that-is-not',
    slice('b', [device('d0')]),
    simple('c'),
    using('p', 'c'),
    wait(800),
    seen('waiting'),
    deviceClass(),
  ),
  play(
    'claim-before-devices',
    deviceClass(),
    simple('c'),
    using('p', 'c'),
    wait(800),
    seen('waiting'),
    slice('b', [device('d0')]),
  ),
  play(
    'claim-of-tainted-device',
    deviceClass(),
    slice('b', [device('d0', { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] })]),
    simple('c'),
    using('p', 'c'),
    simple('d', { tolerations: [{ key: 'k', operator: 'Exists' }] }),
    using('q', 'd'),
  ),
  play(
    'device-tainted-under-a-pod',
    deviceClass(),
    slice('b', [device('d0')]),
    simple('c'),
    using('p', 'c'),
    wait(1500),
    patch('ResourceSlice', 'b-$id', {
      spec: { devices: [device('d0', { taints: [{ key: 'k', effect: 'NoExecute' }] })] },
    }),
    wait(3000),
  ),
  play('claim-with-admin-access-refused', deviceClass(), slice('b', [device('d0')]), {
    ...simple('c', { adminAccess: true }),
    full: true,
  }),
  play(
    'claim-for-node-of-the-pod',
    deviceClass(),
    slice('a', [device('d0')]),
    slice('b', [device('d1')]),
    simple('c'),
    using('p', 'c', { nodeSelector: { 'kubernetes.io/hostname': 'b' } }),
    wait(1500),
    using('q', 'c', { nodeSelector: { 'kubernetes.io/hostname': 'a' } }),
  ),
  play(
    'devices-for-all-nodes',
    deviceClass(),
    create('ResourceSlice', 'a-$id', {
      spec: {
        driver,
        allNodes: true,
        pool: { name: 'net', generation: 1, resourceSliceCount: 1 },
        devices: [device('d0')],
      },
    }),
    simple('c'),
    using('p', 'c', { nodeSelector: { 'kubernetes.io/hostname': 'a' } }),
  ),
  play(
    'pool-incomplete',
    deviceClass(),
    slice('b', [device('d0')], { pool: { name: 'b', generation: 1, resourceSliceCount: 2 } }),
    simple('c'),
    using('p', 'c'),
  ),
  play(
    'pool-of-newer-generation',
    deviceClass(),
    slice('b', [device('old')]),
    create('ResourceSlice', 'a-$id', {
      spec: {
        driver,
        nodeName: 'b',
        pool: { name: 'b', generation: 2, resourceSliceCount: 1 },
        devices: [device('new')],
      },
    }),
    simple('c'),
    using('p', 'c'),
  ),
  play(
    'claim-configuration-kept',
    deviceClass({ config: [{ opaque: { driver, parameters: { of: 'class' } } }] }),
    slice('b', [device('d0')]),
    claim('c', {
      requests: [request()],
      config: [{ requests: ['r'], opaque: { driver, parameters: { of: 'claim' } } }],
    }),
    using('p', 'c'),
  ),
  play(
    'claim-of-shared-counters',
    deviceClass(),
    slice('b', [
      device('half0', { consumesCounters: [{ counterSet: 's', counters: { memory: { value: '4Gi' } } }] }),
      device('whole', { consumesCounters: [{ counterSet: 's', counters: { memory: { value: '8Gi' } } }] }),
    ]),
    simple('c'),
    using('p', 'c'),
  ),
  play(
    'template-claim-of-finished-pod',
    deviceClass(),
    slice('b', [device('d0')]),
    template('t', { requests: [request()] }),
    fromTemplate('p', 't', 'succeed', { restartPolicy: 'Never' }),
    wait(2500),
  ),
  play(
    'template-claim-removed-by-hand',
    deviceClass(),
    template('t', { requests: [request()] }),
    fromTemplate('p', 't'),
    wait(1500),
    { req: `DELETE ${collection('ResourceClaim')}` },
    wait(1500),
  ),
  play(
    'template-changed-refused',
    deviceClass(),
    template('t', { requests: [request()] }),
    {
      ...patch('ResourceClaimTemplate', 't', {
        spec: { spec: { devices: { requests: [request({ count: 2 })] } } },
      }),
      full: true,
    },
    simple('c'),
    {
      ...patch('ResourceClaim', 'c', { spec: { devices: { requests: [request({ count: 2 })] } } }),
      full: true,
    },
  ),
  play(
    'two-requests-one-used',
    deviceClass(),
    slice('b', [device('d0'), device('d1')]),
    claim('c', { requests: [request({}, 'one'), request({}, 'other')] }),
    pod('p', {
      spec: {
        containers: [
          container(undefined, { resources: { claims: [{ name: 'dev', request: 'one' }] } }),
          { name: 'd', image: 'img:1', resources: { claims: [{ name: 'dev', request: 'none' }] } },
        ],
        resourceClaims: [{ name: 'dev', resourceClaimName: 'c' }],
      },
    }),
  ),
  play(
    'preempts-for-a-device-in-vain',
    deviceClass(),
    slice('b', [device('d0')]),
    simple('c'),
    using('p', 'c'),
    wait(1500),
    simple('d'),
    using('q', 'd', { priorityClassName: 'system-cluster-critical' }),
    wait(1000),
    seen('waiting'),
    remove('Pod', 'p'),
  ),
  play('claim-reserved-for-item', deviceClass(), simple('c'), {
    ...patch(
      'ResourceClaim',
      'c',
      { status: { reservedFor: [{ resource: 'pods', name: 'x', uid: 'u' }] } },
      '/status',
    ),
    full: true,
  }),
  play(
    'slice-gone-under-a-pod',
    deviceClass(),
    slice('b', [device('d0')]),
    simple('c'),
    using('p', 'c'),
    wait(1500),
    remove('ResourceSlice', 'b-$id'),
    wait(1000),
    view('after', {
      get: item('ResourceClaim', 'c'),
      pick: ['status.reservedFor', 'status.allocation.devices'],
    }),
  ),
];
