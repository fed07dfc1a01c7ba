/** Devices: claims, and extended resources that classes of devices stand for. */
import type { JsonObject, Scenario, Step, View } from '../scenario.ts';
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
  until,
  untilGone,
  view,
  wait,
} from './building.ts';

const resource = 'example.com/gpu';
const driver = 'gpu.example.com';
const nodes = [{ name: 'dev-a' }, { name: 'dev-b' }];

const deviceClass = (spec: JsonObject = { extendedResourceName: resource }, name = 'gpu-$id'): Step =>
  create('DeviceClass', name, { spec });

const slice = (nodeName: string, ...devices: (string | JsonObject)[]): Step =>
  create('ResourceSlice', `${nodeName}-$id`, {
    spec: {
      driver,
      nodeName,
      pool: { name: nodeName, generation: 1, resourceSliceCount: 1 },
      devices: devices.map((device) => (typeof device === 'string' ? { name: device } : device)),
    },
  });

const wanting = (name: string, count: string | number, spec: JsonObject = {}, of = resource): Step =>
  pod(name, {
    spec: { containers: [limited('c', count, of)], terminationGracePeriodSeconds: 0, ...spec },
  });

/** Extended resources have the same limit and request. */
const limited = (name: string, count: string | number, of = resource): JsonObject => ({
  ...container(),
  name,
  resources: { requests: { cpu: '10m', [of]: `${count}` }, limits: { [of]: `${count}` } },
});

const claims: View = { get: collection('ResourceClaim'), drop: ['status.allocation.allocationTimestamp'] };
const pods: View = {
  ...placed,
  pick: [...(placed.pick ?? []), 'status.extendedResourceClaimStatus.requestMappings'],
};
const seen = [view('pods', pods), view('claims', claims), events()];
const settled = (name: string): Step => until(item('Pod', name), 'spec.nodeName?');
const refused = (name: string): Step =>
  until(item('Pod', name), 'status.conditions[type=PodScheduled].status==False');

const clean: Step[] = [
  remove('DeviceClass', 'gpu-$id'),
  remove('ResourceSlice', 'dev-a-$id'),
  remove('ResourceSlice', 'dev-b-$id'),
];

const claim = (name: string, className = 'gpu-$id', more: JsonObject = {}): Step =>
  create('ResourceClaim', name, {
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: className, ...more } }] } },
  });

const quota = (hard: JsonObject): Step => create('ResourceQuota', 'q', { spec: { hard } });
const counted = (name: string): Step => until(item('ResourceQuota', 'q'), `status.used["${name}"]?`);
const used = view('used', { get: item('ResourceQuota', 'q'), pick: ['status'] });

export const deviceScenarios: readonly Scenario[] = [
  onNodes(
    'extended-resource-of-class',
    nodes,
    deviceClass(),
    slice('dev-b', 'd0', 'd1'),
    wanting('p', 1),
    settled('p'),
    ...seen,
    ...clean,
  ),
  onNodes(
    'extended-resource-two-devices',
    nodes,
    deviceClass(),
    slice('dev-b', 'd0', 'd1', 'd2'),
    wanting('p', 2),
    settled('p'),
    ...seen,
    ...clean,
  ),
  onNodes(
    'extended-resource-implicit-name',
    nodes,
    deviceClass({}),
    slice('dev-a', 'd0'),
    wanting('p', 1, {}, 'deviceclass.resource.kubernetes.io/gpu-$id'),
    settled('p'),
    ...seen,
    ...clean,
  ),
  onNodes(
    'extended-resource-implicit-name-unknown',
    nodes,
    wanting('p', 1, {}, 'deviceclass.resource.kubernetes.io/none-$id'),
    refused('p'),
    ...seen,
  ),
  onNodes(
    'extended-resource-class-comes-later',
    nodes,
    slice('dev-a', 'd0'),
    wanting('p', 1),
    refused('p'),
    view('before', pods),
    deviceClass(),
    settled('p'),
    ...seen,
    ...clean,
  ),
  onNodes(
    'extended-resource-slice-comes-later',
    nodes,
    deviceClass(),
    wanting('p', 1),
    refused('p'),
    view('before', pods),
    slice('dev-b', 'd0'),
    settled('p'),
    ...seen,
    ...clean,
  ),
  onNodes(
    'extended-resource-class-gets-name-later',
    nodes,
    deviceClass({}),
    slice('dev-a', 'd0'),
    wanting('p', 1),
    refused('p'),
    patch('DeviceClass', 'gpu-$id', { spec: { extendedResourceName: resource } }),
    settled('p'),
    ...seen,
    ...clean,
  ),
  onNodes(
    'extended-resource-too-few-devices',
    nodes,
    deviceClass(),
    slice('dev-a', 'd0'),
    wanting('p', 2),
    refused('p'),
    ...seen,
    ...clean,
  ),
  onNodes(
    'extended-resource-second-pod-waits',
    nodes,
    deviceClass(),
    slice('dev-a', 'd0'),
    wanting('p', 1),
    settled('p'),
    wanting('q', 1),
    refused('q'),
    view('both', pods),
    remove('Pod', 'p'),
    settled('q'),
    view('pods', pods),
    view('claims', claims),
    ...clean,
  ),
  onNodes(
    'extended-resource-pod-done-frees',
    nodes,
    deviceClass(),
    slice('dev-a', 'd0'),
    pod('p', { run: 'succeed', spec: { restartPolicy: 'Never', containers: [limited('c', 1)] } }),
    until(item('Pod', 'p'), 'status.phase==Succeeded'),
    wait(1500),
    view('pods', pods),
    view('claims', claims),
    wanting('q', 1),
    settled('q'),
    view('later', pods),
    view('later-claims', claims),
    ...clean,
  ),
  onNodes(
    'extended-resource-device-plugin-first',
    [{ name: 'dev-a', allocatable: { cpu: '4', memory: '8Gi', pods: '110', [resource]: '2' } }],
    deviceClass(),
    wanting('p', 1),
    settled('p'),
    ...seen,
    remove('DeviceClass', 'gpu-$id'),
  ),
  onNodes(
    'extended-resource-device-plugin-full',
    [
      { name: 'dev-a', allocatable: { cpu: '4', memory: '8Gi', pods: '110', [resource]: '1' } },
      { name: 'dev-b' },
    ],
    deviceClass(),
    slice('dev-a', 'd0'),
    wanting('p', 1),
    settled('p'),
    wanting('q', 1),
    refused('q'),
    ...seen,
    ...clean,
  ),
  onNodes(
    'extended-resource-device-plugin-with-none',
    [{ name: 'dev-a', allocatable: { cpu: '4', memory: '8Gi', pods: '110', [resource]: '0' } }],
    wanting('p', 1),
    refused('p'),
    view('without-class', pods),
    deviceClass(),
    slice('dev-a', 'd0'),
    settled('p'),
    ...seen,
    ...clean,
  ),
  onNodes(
    'extended-resource-beside-claim',
    nodes,
    deviceClass(),
    slice('dev-b', 'd0', 'd1'),
    claim('own'),
    wanting('p', 1, { resourceClaims: [{ name: 'own', resourceClaimName: 'own' }] }),
    settled('p'),
    ...seen,
    ...clean,
  ),
  onNodes(
    'extended-resource-of-plugin-beside-claim',
    [{ name: 'dev-a', allocatable: { cpu: '4', memory: '8Gi', pods: '110', [resource]: '1' } }],
    deviceClass(),
    slice('dev-a', 'd0', 'd1'),
    claim('own'),
    wanting('p', 1, { resourceClaims: [{ name: 'own', resourceClaimName: 'own' }] }),
    refused('p'),
    view('pods', pods),
    ...clean,
  ),
  onNodes(
    'extended-resource-init-containers',
    nodes,
    deviceClass(),
    slice('dev-a', 'd0', 'd1', 'd2', 'd3'),
    wanting('p', 1, {
      initContainers: [
        limited('first', 2),
        { ...limited('side', 1), restartPolicy: 'Always' },
        limited('second', 3),
      ],
      containers: [limited('main', 1), limited('other', 1)],
    }),
    settled('p'),
    ...seen,
    ...clean,
  ),
  onNodes(
    'extended-resource-and-implicit',
    nodes,
    deviceClass(),
    slice('dev-b', 'd0', 'd1', 'd2'),
    wanting('p', 1, {
      containers: [
        {
          ...container(),
          resources: {
            limits: { [resource]: '1', 'deviceclass.resource.kubernetes.io/gpu-$id': '1', cpu: '1' },
          },
        },
        limited('d', 1),
      ].map((one, index) => ({ ...one, name: `c${index}` })),
    }),
    settled('p'),
    ...seen,
    ...clean,
  ),
  onNodes(
    'extended-resource-selector-of-class',
    nodes,
    deviceClass({
      extendedResourceName: resource,
      selectors: [{ cel: { expression: `device.attributes["${driver}"].memory > 10` } }],
    }),
    slice('dev-a', { name: 'd0', attributes: { memory: { int: 8 } } }),
    slice('dev-b', { name: 'd0', attributes: { memory: { int: 16 } } }),
    wanting('p', 1),
    settled('p'),
    ...seen,
    ...clean,
  ),
  onNodes(
    'extended-resource-newest-class-wins',
    nodes,
    deviceClass({ extendedResourceName: resource, selectors: [{ cel: { expression: 'false' } }] }, 'old-$id'),
    wait(1100),
    deviceClass(),
    slice('dev-b', 'd0'),
    wanting('p', 1),
    settled('p'),
    ...seen,
    ...clean,
    remove('DeviceClass', 'old-$id'),
  ),
  onNodes(
    'extended-resource-left-behind-claim',
    nodes,
    deviceClass(),
    slice('dev-a', 'd0'),
    pod('p', { spec: { schedulingGates: [{ name: 'x.io/g' }], containers: [limited('c', 1)] } }),
    { name: 'pod', req: `GET ${item('Pod', 'p')}` },
    create('ResourceClaim', 'left', {
      metadata: {
        annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' },
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '$pod.metadata.uid', controller: true },
        ],
      },
      spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu-$id' } }] } },
    }),
    wait(1000),
    patch('Pod', 'p', { spec: { schedulingGates: null } }),
    refused('p'),
    wait(1500),
    view('pods', pods),
    view('claims', claims),
    events(),
    ...clean,
  ),
  onNodes(
    'extended-resource-quota-counts-once',
    nodes,
    deviceClass(),
    slice('dev-a', 'd0', 'd1'),
    quota({ [`requests.${resource}`]: '2', 'gpu-$id.deviceclass.resource.k8s.io/devices': '4' }),
    counted(`requests.${resource}`),
    wanting('p', 1),
    settled('p'),
    wait(1500),
    used,
    ...clean,
  ),
  onNodes(
    'extended-resource-quota-of-claims',
    nodes,
    deviceClass(),
    wait(500),
    quota({
      [`requests.${resource}`]: '3',
      'requests.deviceclass.resource.kubernetes.io/gpu-$id': '5',
      'count/resourceclaims.resource.k8s.io': '9',
    }),
    counted(`requests.${resource}`),
    claim('one', 'gpu-$id', { count: 2 }),
    wait(500),
    used,
    { ...claim('two', 'gpu-$id', { count: 2 }), name: 'over', full: true },
    wanting('p', 2),
    wait(500),
    view('pods', pods),
    remove('ResourceClaim', 'one'),
    untilGone(item('ResourceClaim', 'one')),
    wait(2500),
    { ...used, name: 'after' },
    remove('DeviceClass', 'gpu-$id'),
  ),
  onNodes(
    'extended-resource-quota-refuses-pod',
    nodes,
    deviceClass({}),
    quota({ 'requests.deviceclass.resource.kubernetes.io/gpu-$id': '1' }),
    wait(2500),
    { ...used, name: 'before' },
    { ...wanting('p', 2, {}, 'deviceclass.resource.kubernetes.io/gpu-$id'), name: 'over', full: true },
    remove('DeviceClass', 'gpu-$id'),
  ),
];
