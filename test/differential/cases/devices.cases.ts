/** Claims, classes and slices of devices: every member at values good and bad, at creation, on update and in the status. */
import { ask, mergePatch, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

type Json = Readonly<Record<string, unknown>>;
/** A path in the object, and the values that are put there one by one; undefined removes. */
type Places = Readonly<Record<string, readonly unknown[]>>;

const apiVersion = 'resource.k8s.io/v1';
const claims = `/apis/${apiVersion}/namespaces/$ns/resourceclaims`;
const templates = `/apis/${apiVersion}/namespaces/$ns/resourceclaimtemplates`;
const classes = `/apis/${apiVersion}/deviceclasses`;
const slices = `/apis/${apiVersion}/resourceslices`;

const long = 'a'.repeat(64);
const longer = 'a'.repeat(254);
const many = (count: number, make: (at: number) => unknown) =>
  Array.from({ length: count }, (_, at) => make(at));
const selector = (expression: string) => ({ cel: { expression } });
const opaque = (parameters: unknown, driver = 'd.example.com') => ({ opaque: { driver, parameters } });
const exactly = (more: Json = {}) => ({ deviceClassName: 'c', ...more });
const toleration = { key: 'k', operator: 'Exists', effect: 'NoSchedule' };
const nodeSelector = (...terms: unknown[]) => ({ nodeSelectorTerms: terms });
const onNode = { matchExpressions: [{ key: 'k', operator: 'In', values: ['v'] }] };

const selectorLists = [
  [],
  [{}],
  [selector('')],
  [selector('device.driver == "a"')],
  [selector('device.attributes["a"].x == 1'), selector('nosuch')],
  [selector('1')],
  [selector('device.capacity["d"].x.compareTo(quantity("1")) > 0')],
  [selector('device.attributes["a"].exists(x, device.attributes["a"].exists(y, x == y))')],
  [selector(`"${'x'.repeat(10 * 1024)}" == "a"`)],
  many(33, () => selector('true')),
];
const names = ['', 'A', 'a.b', 'a/b', '-a', long, undefined, null, 'g0', 'g1'];
const tolerations = [
  [{}],
  [{ operator: 'Exists' }],
  [{ key: 'k', value: 'v', operator: 'Exists' }],
  [{ key: 'k', operator: 'In' }],
  [{ key: 'bad key', value: 'bad value!', effect: 'Never' }],
  [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoExecute', tolerationSeconds: -3 }],
  [{ key: 'k', effect: 'NoSchedule', tolerationSeconds: 3 }],
  many(17, () => toleration),
];
const configs = [
  [],
  [{}],
  [{ opaque: {} }],
  [opaque({})],
  [opaque(null)],
  [opaque('text')],
  [opaque([1])],
  [opaque({ a: 1 }, 'Bad_Driver')],
  [opaque({ a: 'x'.repeat(10 * 1024) })],
  [{ requests: ['g0'], ...opaque({}) }],
  [{ requests: ['g0', 'g0', 'none', 'g1/s0', 'g1/none', ''], ...opaque({}) }],
  many(33, () => opaque({})),
];

const claim: Json = {
  apiVersion,
  kind: 'ResourceClaim',
  metadata: { name: 'a' },
  spec: {
    devices: {
      requests: [
        { name: 'g0', exactly: exactly({ selectors: [selector('true')] }) },
        { name: 'g1', firstAvailable: [{ name: 's0', deviceClassName: 'c' }] },
      ],
      constraints: [{ requests: ['g0'], matchAttribute: 'd.example.com/a' }],
      config: [{ requests: ['g0'], ...opaque({ a: 1 }) }],
    },
  },
};

const requestPlaces = (at: string): Places => ({
  [`${at}.deviceClassName`]: names,
  [`${at}.selectors`]: selectorLists,
  [`${at}.allocationMode`]: ['', 'All', 'Some', 'ExactCount', null],
  [`${at}.count`]: [0, -1, 2, 33, 9007199254740993n.toString(), null],
  [`${at}.tolerations`]: tolerations,
  [`${at}.capacity`]: [
    {},
    { requests: {} },
    { requests: { x: '1', 'd.example.com/x': '-1', 'a/b/c': '2', '': '1' } },
  ],
});

const claimPlaces: Places = {
  'spec.devices.requests.0.name': names,
  ...requestPlaces('spec.devices.requests.0.exactly'),
  'spec.devices.requests.0.exactly.adminAccess': [true, false],
  'spec.devices.requests.0.exactly': [undefined, {}, null],
  'spec.devices.requests.0.firstAvailable': [
    [],
    [{}],
    [{ name: 'a', deviceClassName: 'c' }],
    many(9, (at) => ({ name: `a${at}`, deviceClassName: 'c' })),
  ],
  'spec.devices.requests.1.firstAvailable.0.name': names,
  ...requestPlaces('spec.devices.requests.1.firstAvailable.0'),
  'spec.devices.requests.1.firstAvailable': [
    [],
    many(9, (at) => ({ name: `a${at}`, deviceClassName: 'c' })),
    many(2, () => ({ name: 'twice', deviceClassName: 'c' })),
  ],
  'spec.devices.requests': [
    [],
    [{}],
    many(33, (at) => ({ name: `r${at}`, exactly: exactly() })),
    many(2, () => ({ name: 'g0', exactly: exactly() })),
    null,
  ],
  'spec.devices.constraints': [
    [{}],
    [{ requests: ['g0', 'g1', 'g1/s0', 'none'], matchAttribute: 'd/a' }],
    [{ requests: ['g0', 'g0'], matchAttribute: 'd/a' }],
    ...[
      '',
      'a',
      'a/',
      '/a',
      'a/b/c',
      'A_/b',
      `d/${long}`,
      `${long}/a`,
      'd/1a',
      'd/a-b',
      '<&>\u0001',
      '<&>/a',
      'a/<&>',
    ].map((matchAttribute) => [{ matchAttribute }]),
    [{ distinctAttribute: 'd/a' }],
    [{ distinctAttribute: 'a', matchAttribute: 'b' }],
    many(33, () => ({ matchAttribute: 'd/a' })),
  ],
  'spec.devices.config': configs,
  spec: [undefined, {}, { devices: {} }, { devices: null }],
  'metadata.name': ['A', 'a.b', longer],
  status: [{ allocation: {} }],
};

const deviceClass: Json = {
  apiVersion,
  kind: 'DeviceClass',
  metadata: { name: 'a-$id' },
  spec: { selectors: [selector('true')], config: [opaque({ a: 1 })] },
};
const classPlaces: Places = {
  'spec.selectors': selectorLists,
  'spec.config': configs,
  'spec.extendedResourceName': [
    '',
    'a',
    'example.com/gpu',
    'cpu',
    'requests.example.com/a',
    'kubernetes.io/a',
    'a/b/c',
    long,
  ],
  spec: [undefined, {}],
  'metadata.name': ['A', 'a.b', longer],
};

const device = { name: 'd0', attributes: { a: { string: 'x' } }, capacity: { m: { value: '1Gi' } } };
const slice: Json = {
  apiVersion,
  kind: 'ResourceSlice',
  metadata: { name: 'a-$id' },
  spec: {
    driver: 'd.example.com',
    nodeName: 'n',
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    devices: [device],
  },
};
const taint = { key: 'k', value: 'v', effect: 'NoSchedule' };
const counterSets = [{ name: 'cs', counters: { c: { value: '1' } } }];
const slicePlaces: Places = {
  'spec.driver': ['', 'D', 'a/b', long, 'a.b', undefined],
  'spec.pool': [undefined, {}, { name: 'p', generation: -1, resourceSliceCount: 0 }],
  'spec.pool.name': ['', 'a/b', 'a/', 'A', longer, `${long}/a`],
  'spec.pool.resourceSliceCount': [0, -1, 2],
  'spec.nodeName': ['', 'A', undefined, null, longer],
  'spec.allNodes': [true, false],
  'spec.perDeviceNodeSelection': [true, false],
  'spec.nodeSelector': [
    {},
    nodeSelector(),
    nodeSelector(onNode),
    nodeSelector(onNode, onNode),
    nodeSelector({ matchExpressions: [{ key: 'bad key', operator: 'Near', values: ['a'] }] }),
  ],
  'spec.devices': [[], [{}], [device, device], many(129, (at) => ({ name: `d${at}` })), null],
  'spec.devices.0.name': names,
  'spec.devices.0.attributes': [
    { a: {} },
    { a: { string: 'x', int: 1 } },
    { a: { version: '1.0' }, b: { version: '1.0.0-rc.1+b' }, c: { version: 'x'.repeat(65) } },
    { a: { string: '' }, b: { string: 'x'.repeat(65) }, c: { bool: false }, d: { int: '1' } },
    {
      'a/b/c': { int: 1 },
      '': { int: 1 },
      'Bad_/x': { int: 1 },
      '1a': { int: 1 },
      'd.example.com/ok': { int: 1 },
    },
    { a: { strings: ['x'] } },
    Object.fromEntries(many(33, (at) => [`a${at}`, { int: at }]) as [string, unknown][]),
  ],
  'spec.devices.0.capacity': [
    { m: {} },
    { m: { value: '-1' } },
    { m: { value: 'x' } },
    { 'a/b/c': { value: '1' } },
    { m: { value: '4', requestPolicy: {} } },
    { m: { value: '4', requestPolicy: { default: '1', validValues: ['2', '1', '1'] } } },
    { m: { value: '4', requestPolicy: { default: '8', validRange: { min: '2', max: '1', step: '3' } } } },
    { m: { value: '4', requestPolicy: { default: '1', validValues: ['1'], validRange: { min: '1' } } } },
  ],
  'spec.devices.0.taints': [
    [{}],
    [taint, taint],
    [{ key: 'bad key', value: 'bad!', effect: 'Never' }],
    [{ ...taint, timeAdded: 'x' }],
    [{ ...taint, effect: 'None', timeAdded: '2020-01-01T00:00:00Z' }],
    many(17, () => taint),
  ],
  'spec.devices.0.nodeName': ['n', ''],
  'spec.devices.0.allNodes': [true, false],
  'spec.devices.0.bindsToNode': [true],
  'spec.devices.0.bindingConditions': [['a'], [''], ['a', 'a'], many(5, (at) => `a${at}`)],
  'spec.devices.0.allowMultipleAllocations': [true, false],
  'spec.devices.0.consumesCounters': [
    [{}],
    [{ counterSet: 'cs', counters: { c: { value: '1' } } }],
    [{ counterSet: 'A', counters: {} }],
  ],
  'spec.sharedCounters': [
    counterSets,
    [{}],
    [...counterSets, ...counterSets],
    [{ name: 'A_', counters: { 'B!': { value: '-1' } } }],
    many(33, (at) => ({ ...counterSets[0], name: `c${at}` })),
  ],
  spec: [
    undefined,
    {},
    {
      driver: 'd',
      nodeName: 'n',
      pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
      sharedCounters: counterSets,
    },
  ],
  'spec.devices.0.nodeAllocatableResourceMappings': [{ cpu: {} }],
};

const put = (value: unknown, [key, ...rest]: readonly string[], given: unknown): unknown => {
  if (key === undefined) return given;
  const child = put((value as Json | undefined)?.[key], rest, given);
  return Array.isArray(value) ? value.with(Number(key), child) : { ...(value as Json), [key]: child };
};

const brief = { ignore: ['metadata.managedFields', 'metadata.uid'] };

/** One case for each place: creations, then updates of what is stored. */
const placeCases = (kind: string, collection: string, base: Json, places: Places): DifferentialCase[] =>
  Object.entries(places).map(([place, values]) => {
    const { name } = base['metadata'] as { name: string };
    const made = values.map((value) => put(base, place.split('.'), value));
    return {
      name: `${kind}-${place}`,
      steps: [
        ...made.map((body) => ask(`POST ${collection}?dryRun=All`, body, brief)),
        ask(`POST ${collection}`, base, { quiet: true }),
        ...(place === 'metadata.name' ? [] : made).map((body) =>
          ask(`PUT ${collection}/${name}?dryRun=All`, body, brief),
        ),
        ask(`DELETE ${collection}/${name}`, undefined, { quiet: true }),
      ],
    };
  });

const result = { request: 'g0', driver: 'd.example.com', pool: 'p', device: 'x' };
const consumer = { resource: 'pods', name: 'p', uid: 'u' };
const condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Because',
  message: '',
  lastTransitionTime: '2020-01-01T00:00:00Z',
};
const deviceStatus = { driver: 'd.example.com', pool: 'p', device: 'x' };

const statuses: Readonly<Record<string, readonly unknown[]>> = {
  allocation: [
    {},
    { devices: {} },
    { devices: { results: [] } },
    { devices: { results: [{}] } },
    ...Object.entries({
      request: ['none', 'g1', 'g1/s0', 'g1/none', 'g0/s0', '', 'A'],
      driver: ['', 'A', long],
      pool: ['', 'a//b', longer],
      device: ['', 'A', long],
      adminAccess: [true],
      tolerations,
      bindingConditions: [['a'], ['']],
      shareID: ['x', '7b1c2d3e-0000-4000-8000-00000000abcd'],
      consumedCapacity: [{ m: '1' }, { 'a/b/c': '-1' }],
    }).flatMap(([key, values]) =>
      values.map((value) => ({ devices: { results: [{ ...result, [key]: value }] } })),
    ),
    { devices: { results: [result, result] } },
    { devices: { results: many(33, (at) => ({ ...result, device: `x${at}` })) } },
    ...configs.map((list) => ({
      devices: { results: [result], config: list.map((one) => ({ source: 'FromClaim', ...(one as Json) })) },
    })),
    { devices: { results: [result], config: [opaque({})] } },
    { devices: { results: [result], config: [{ source: 'FromHell', ...opaque({}) }] } },
    { devices: { results: [result] }, nodeSelector: nodeSelector() },
    { devices: { results: [result] }, nodeSelector: nodeSelector(onNode, onNode) },
    {
      devices: { results: [result] },
      nodeSelector: nodeSelector({ matchFields: [{ key: 'a', operator: 'In', values: ['b'] }] }),
    },
    { devices: { results: [result] }, allocationTimestamp: '2020-01-01T00:00:00Z' },
  ].map((allocation) => ({ allocation })),
  reserved: [
    [consumer],
    [consumer, consumer],
    [{}],
    [{ ...consumer, resource: '', name: 'A!', uid: '' }],
    [{ ...consumer, apiGroup: 'Bad_' }],
    [{ ...consumer, name: 'a/b' }],
    many(257, (at) => ({ ...consumer, uid: `u${at}` })),
  ].flatMap((reservedFor) => [
    { reservedFor },
    { reservedFor, allocation: { devices: { results: [result] } } },
  ]),
  devices: [
    [deviceStatus],
    [deviceStatus, deviceStatus],
    [{}],
    [{ ...deviceStatus, device: 'y' }],
    [{ ...deviceStatus, driver: 'A', pool: 'a//b', device: '' }],
    [{ ...deviceStatus, conditions: [condition] }],
    [{ ...deviceStatus, conditions: [condition, condition] }],
    [{ ...deviceStatus, conditions: [{ ...condition, status: 'Maybe', reason: '', type: 'bad type' }] }],
    [{ ...deviceStatus, conditions: many(9, (at) => ({ ...condition, type: `t${at}` })) }],
    [{ ...deviceStatus, data: {} }],
    [{ ...deviceStatus, data: 'text' }],
    [{ ...deviceStatus, data: null }],
    [{ ...deviceStatus, data: { a: 'x'.repeat(10 * 1024) } }],
    [{ ...deviceStatus, networkData: {} }],
    [
      {
        ...deviceStatus,
        networkData: {
          interfaceName: 'x'.repeat(257),
          hardwareAddress: 'x'.repeat(129),
          ips: ['1.2.3.4', '1.2.3.4/24', 'a', '010.0.0.1/8', '2001:DB8::1/64', '10.0.0.1/8', '10.0.0.1/8'],
        },
      },
    ],
    [{ ...deviceStatus, networkData: { ips: many(17, (at) => `10.0.0.${String(at)}/24`) } }],
    [{ ...deviceStatus, shareID: 'x' }],
  ].flatMap((devices) => [{ devices }, { devices, allocation: { devices: { results: [result] } } }]),
};

const statusCases = Object.entries(statuses).flatMap(([name, all]): DifferentialCase[] => {
  const one = `${claims}/a/status`;
  const tried = (status: unknown) => ask(`PATCH ${one}?dryRun=All`, { status }, { ...mergePatch, ...brief });
  const allocated = {
    allocation: { devices: { results: [result] } },
    reservedFor: [consumer],
    devices: [deviceStatus],
  };
  return [
    {
      name: `status-${name}`,
      steps: [
        ask(`POST ${claims}`, claim, { quiet: true }),
        ...all.map(tried),
        ask(`PATCH ${one}`, { status: allocated }, { ...mergePatch, ...brief }),
        ...all.map(tried),
        ask(
          `PATCH ${one}`,
          { metadata: { finalizers: ['a.example.com/b'], labels: { a: 'b' } } },
          { ...mergePatch, ...brief },
        ),
        ask(`DELETE ${claims}/a`, undefined, brief),
        ...all.map(tried),
        tried({ reservedFor: [consumer, { ...consumer, uid: 'v' }] }),
      ],
    },
  ];
});

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const driver = 'system:serviceaccount:$ns:driver';
/** Who writes a status, with rights given step by step. */
const rightsOf = (user: string, rights: readonly (readonly [subresource: string, Json])[]): Step[] =>
  rights.flatMap(([subresource, more], at) => {
    const name = `r${at}-$id`;
    const rules = [
      {
        apiGroups: ['resource.k8s.io'],
        resources: [`resourceclaims/${subresource}`],
        verbs: ['update', 'patch'],
        ...more,
      },
    ];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
    const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }];
    return [
      ask(`POST ${rbac}/clusterroles`, { metadata: { name }, rules }, { quiet: true }),
      ask(`POST ${rbac}/clusterrolebindings`, { metadata: { name }, roleRef, subjects }, { quiet: true }),
    ];
  });

const pinned = nodeSelector({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] });
const pinnedAllocation = { devices: { results: [result] }, nodeSelector: pinned };
const rightsSteps = (
  impersonate: NonNullable<Step['impersonate']>,
  rights: Parameters<typeof rightsOf>[1],
): Step[] => {
  const one = `${claims}/a/status`;
  const tried = [
    { allocation: pinnedAllocation },
    { reservedFor: [consumer] },
    { allocation: pinnedAllocation, devices: [deviceStatus] },
    { devices: [deviceStatus, { ...deviceStatus, driver: 'e.example.com' }] },
    { devices: [{ ...deviceStatus, conditions: [condition] }] },
    { devices: null },
    { allocation: null, reservedFor: null, devices: null },
    { allocation: { devices: { results: [{ ...result, driver: 'A', adminAccess: true }] } } },
  ].map((status) => ask(`PATCH ${one}?dryRun=All`, { status }, { ...mergePatch, ...brief, impersonate }));
  return [
    ask(`POST ${claims}`, claim, { quiet: true }),
    ...rightsOf(impersonate.user!, rights),
    ...tried,
    ask(
      `PATCH ${one}`,
      { status: { allocation: pinnedAllocation, devices: [deviceStatus] } },
      { ...mergePatch, quiet: true },
    ),
    ...tried,
    ask(`PATCH ${one}`, { metadata: { labels: { a: 'b' } } }, { ...mergePatch, ...brief, impersonate }),
    ...rights.map((_, at) =>
      ask(`DELETE ${rbac}/clusterrolebindings/r${at}-$id`, undefined, { quiet: true }),
    ),
  ];
};
const reports = (prefix: string): Json => ({ verbs: [`${prefix}:update`, `${prefix}:patch`] });
const onNodeN = {
  user: driver,
  groups: ['system:authenticated'],
  extra: { 'authentication.kubernetes.io%2fnode-name': ['n'] },
};
/** Who writes, and to which subresources he has rights. */
const rights: Readonly<
  Record<string, readonly [NonNullable<Step['impersonate']>, Readonly<Record<string, Json>>]>
> = {
  none: [{ user: 'u-$id' }, {}],
  status: [{ user: 'u-$id' }, { status: {} }],
  binding: [{ user: 'u-$id' }, { status: {}, binding: {} }],
  driver: [{ user: 'u-$id' }, { status: {}, driver: reports('arbitrary-node') }],
  'named-driver': [
    { user: 'u-$id' },
    { status: {}, driver: { ...reports('arbitrary-node'), resourceNames: ['e.example.com'] } },
  ],
  'plain-verbs': [{ user: 'u-$id' }, { status: {}, binding: {}, driver: {} }],
  all: [{ user: 'u-$id' }, { '*': { verbs: ['*'], resources: ['*'] } }],
  account: [
    { user: driver, groups: [] },
    { status: {}, driver: reports('associated-node') },
  ],
  'account-on-node': [onNodeN, { status: {}, driver: reports('associated-node') }],
  'account-elsewhere': [
    { ...onNodeN, extra: { 'authentication.kubernetes.io%2fnode-name': ['m'] } },
    { status: {}, driver: reports('associated-node') },
  ],
  'no-account': [
    { ...onNodeN, user: 'u-$id' },
    { status: {}, driver: reports('associated-node') },
  ],
};
const rightsCases = Object.entries(rights).map(([name, [who, given]]): DifferentialCase => ({
  name: `rights-${name}`,
  steps: rightsSteps(who, Object.entries(given)),
}));

export const cases: readonly DifferentialCase[] = [
  ...rightsCases,
  ...placeCases('claim', claims, claim, claimPlaces),
  ...placeCases(
    'template',
    templates,
    { apiVersion, kind: 'ResourceClaimTemplate', metadata: { name: 'a' }, spec: { spec: claim['spec'] } },
    {
      'spec.spec.devices.requests.0.name': names,
      'spec.spec.devices.requests.0.exactly.adminAccess': [true],
      'spec.spec': [undefined, {}],
      spec: [undefined, {}],
      'spec.metadata': [
        {},
        { labels: { 'bad key': 'b' } },
        { name: 'x', annotations: { a: 'b' } },
        { finalizers: ['a'] },
      ],
    },
  ),
  ...placeCases('class', classes, deviceClass, classPlaces),
  ...placeCases('slice', slices, slice, slicePlaces),
  ...statusCases,
];
