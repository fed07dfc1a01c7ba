import type { JsonObject, Scenario, Step } from '../scenario.ts';
import {
  collection,
  create,
  events,
  item,
  onNodes,
  patch,
  pod,
  podReady,
  remove,
  scenario,
  view,
  wait,
} from './building.ts';
import type { PodParts } from './building.ts';

const service = (spec: JsonObject, metadata: JsonObject = {}): Step =>
  create('Service', 's', {
    metadata,
    spec: { selector: { app: 'a' }, ports: [{ port: 80, targetPort: 8080 }], ...spec },
  });
const backend = (name: string, parts: PodParts = {}): Step => pod(name, { labels: { app: 'a' }, ...parts });
const seen = (name: string) => view(name, 'EndpointSlice', 'Endpoints');
const change = (body: JsonObject) => patch('Service', 's', body);
const two = [backend('p1'), backend('p2'), podReady('p1'), podReady('p2')];
const ports = (...list: JsonObject[]): JsonObject => ({
  containers: [{ name: 'c', image: 'i', ports: list }],
});
const endpoints = (subsets: unknown, metadata: JsonObject = {}): Step =>
  create('Endpoints', 's', { metadata, subsets: subsets as JsonObject[] });
const bare = create('Service', 's', { spec: { ports: [{ name: 'x', port: 80 }] } });
const rename = (name: string) => ({
  req: `PATCH ${item('Pod', name)}`,
  body: { metadata: { labels: { app: 'b' } } },
});

export const endpointsScenarios: readonly Scenario[] = [
  scenario(
    'becomes-ready-and-back',
    backend('p1', { run: 'running' }),
    podReady('p1'),
    service({}),
    seen('not ready'),
    { pods: { selector: 'app=a', do: 'ready' } },
    seen('ready'),
    { pods: { selector: 'app=a', do: 'running' } },
    seen('back'),
  ),
  scenario(
    'finished-pods',
    backend('p1'),
    backend('p2'),
    backend('p3'),
    wait(800),
    service({}),
    seen('before'),
    { pods: { selector: 'name=p1', do: 'succeed' } },
    { pods: { selector: 'name=p2', do: 'fail:1' } },
    seen('after'),
  ),
  scenario(
    'several-ports',
    ...two,
    service({
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 443, protocol: 'TCP', targetPort: 8443, appProtocol: 'https' },
        { name: 'c', port: 53, protocol: 'UDP' },
        { name: 'd', port: 9, protocol: 'SCTP' },
      ],
    }),
    seen('after'),
  ),
  scenario(
    'ports-changed',
    ...two,
    service({}),
    seen('before'),
    change({ spec: { ports: [{ port: 81, targetPort: 9090, appProtocol: 'kubernetes.io/h2c' }] } }),
    seen('after'),
  ),
  scenario(
    'labels-changed',
    ...two,
    service({}, { labels: { a: 'b' } }),
    seen('before'),
    change({ metadata: { labels: { a: null, c: 'd', 'service.kubernetes.io/headless': 'x' } } }),
    seen('after'),
  ),
  scenario(
    'named-ports-of-protocols',
    backend('p1', { spec: ports({ name: 'dns', containerPort: 5353, protocol: 'UDP' }) }),
    backend('p2', { spec: ports({ name: 'dns', containerPort: 53, protocol: 'TCP' }) }),
    podReady('p1'),
    podReady('p2'),
    service({
      ports: [
        { name: 'u', port: 53, protocol: 'UDP', targetPort: 'dns' },
        { name: 't', port: 53, protocol: 'TCP', targetPort: 'dns' },
      ],
    }),
    seen('after'),
  ),
  scenario(
    'named-port-nobody-has',
    ...two,
    service({ ports: [{ port: 80, targetPort: 'web' }] }),
    seen('after'),
  ),
  scenario(
    'named-port-in-sidecar',
    backend('p1', {
      spec: {
        initContainers: [
          { name: 's', image: 'i', restartPolicy: 'Always', ports: [{ name: 'web', containerPort: 7000 }] },
        ],
        containers: [{ name: 'c', image: 'i' }],
      },
    }),
    podReady('p1'),
    service({ ports: [{ port: 80, targetPort: 'web' }] }),
    seen('after'),
  ),
  scenario(
    'headless-without-ports',
    ...two,
    create('Service', 's', { spec: { clusterIP: 'None', selector: { app: 'a' } } }),
    seen('after'),
  ),
  scenario(
    'headless-hostnames',
    backend('p1', { spec: { hostname: 'one', subdomain: 's', containers: [{ name: 'c', image: 'i' }] } }),
    backend('p2', { spec: { hostname: 'two', subdomain: 'other', containers: [{ name: 'c', image: 'i' }] } }),
    podReady('p1'),
    podReady('p2'),
    service({ clusterIP: 'None' }),
    seen('after'),
  ),
  scenario(
    'hostname-without-headless',
    backend('p1', { spec: { hostname: 'one', subdomain: 's', containers: [{ name: 'c', image: 'i' }] } }),
    podReady('p1'),
    service({}),
    seen('after'),
  ),
  scenario(
    'publish-not-ready-terminating',
    backend('p1', { run: 'running;linger' }),
    backend('p2', { run: 'ready;linger' }),
    podReady('p1'),
    podReady('p2'),
    service({ publishNotReadyAddresses: true }),
    seen('before'),
    { pods: { selector: 'app=a', do: 'delete', count: 2 } },
    seen('stopping'),
  ),
  scenario(
    'terminating-not-ready',
    backend('p1', { run: 'running;linger' }),
    podReady('p1'),
    service({}),
    seen('before'),
    remove('Pod', 'p1'),
    seen('stopping'),
  ),
  scenario(
    'all-terminating-then-gone',
    backend('p1', { run: 'ready;linger' }),
    podReady('p1'),
    service({}),
    seen('before'),
    remove('Pod', 'p1'),
    seen('stopping'),
    { pods: { selector: 'app=a', do: 'finalise', terminating: true } },
    seen('gone'),
  ),
  scenario(
    'selector-removed',
    ...two,
    service({}),
    seen('before'),
    change({ spec: { selector: null } }),
    seen('without'),
    change({ spec: { selector: { app: 'a' } } }),
    seen('again'),
  ),
  scenario(
    'becomes-external-name',
    ...two,
    service({}),
    seen('before'),
    change({ spec: { type: 'ExternalName', externalName: 'x.org', clusterIP: null, clusterIPs: null } }),
    seen('after'),
  ),
  scenario(
    'external-name',
    ...two,
    create('Service', 's', { spec: { type: 'ExternalName', externalName: 'x.org', selector: { app: 'a' } } }),
    seen('after'),
  ),
  scenario('pod-relabelled', ...two, service({}), seen('before'), rename('p1'), seen('after')),
  scenario(
    'slice-deleted',
    ...two,
    service({}),
    seen('before'),
    { req: `DELETE ${collection('EndpointSlice')}` },
    seen('after'),
  ),
  scenario(
    'slice-changed-by-hand',
    ...two,
    service({}),
    seen('before'),
    { name: 'l', req: `GET ${collection('EndpointSlice')}` },
    {
      req: `PATCH ${collection('EndpointSlice')}/$l.items[0].metadata.name`,
      body: { endpoints: [], ports: [] },
    },
    seen('after'),
  ),
  scenario('endpoints-deleted', ...two, service({}), seen('before'), remove('Endpoints', 's'), seen('after')),
  scenario(
    'endpoints-changed-by-hand',
    ...two,
    service({}),
    seen('before'),
    patch('Endpoints', 's', { subsets: [] }),
    seen('after'),
  ),
  scenario(
    'two-services-one-pod',
    ...two,
    service({}),
    create('Service', 't', {
      spec: { selector: { app: 'a' }, ports: [{ port: 1 }], sessionAffinity: 'ClientIP' },
    }),
    seen('after'),
  ),
  onNodes(
    'traffic-distribution-same-node',
    [{ name: 'a', labels: { 'topology.kubernetes.io/zone': 'z1' } }],
    ...two,
    service({ trafficDistribution: 'PreferSameNode' }),
    seen('after'),
  ),
  scenario(
    'traffic-distribution-same-zone',
    ...two,
    service({ trafficDistribution: 'PreferSameZone' }),
    seen('after'),
    change({ spec: { trafficDistribution: null } }),
    seen('without'),
  ),
  scenario(
    'topology-mode-auto',
    ...two,
    service({}, { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } }),
    seen('after'),
    { name: 'events', events: { kinds: ['Service'] } },
  ),
  scenario(
    'topology-hints-annotation-wrong',
    ...two,
    service({}, { annotations: { 'service.kubernetes.io/topology-mode': 'sometimes' } }),
    seen('after'),
    { name: 'events', events: { kinds: ['Service'] } },
  ),
  scenario(
    'mirrored-not-ready',
    bare,
    endpoints([
      {
        addresses: [{ ip: '192.0.2.1', hostname: 'h', nodeName: 'n' }],
        notReadyAddresses: [{ ip: '192.0.2.2' }],
        ports: [{ name: 'x', port: 80 }],
      },
    ]),
    seen('after'),
  ),
  scenario(
    'mirrored-two-subsets',
    bare,
    endpoints([
      { addresses: [{ ip: '192.0.2.1' }], ports: [{ name: 'x', port: 80 }] },
      {
        addresses: [{ ip: '192.0.2.3' }, { ip: '192.0.2.1' }],
        ports: [{ name: 'x', port: 81, protocol: 'UDP' }],
      },
    ]),
    seen('after'),
  ),
  scenario(
    'mirrored-both-families',
    bare,
    endpoints([
      { addresses: [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }], ports: [{ name: 'x', port: 80 }] },
    ]),
    seen('after'),
  ),
  scenario(
    'mirrored-changed-and-deleted',
    bare,
    endpoints([{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }], {
      labels: { l: '1' },
      annotations: { a: '1' },
    }),
    seen('before'),
    patch('Endpoints', 's', {
      metadata: { labels: { l: '2' }, annotations: { a: '2' } },
      subsets: [{ addresses: [{ ip: '192.0.2.9' }], ports: [{ port: 81 }] }],
    }),
    seen('changed'),
    remove('Endpoints', 's'),
    seen('deleted'),
  ),
  scenario(
    'mirroring-skipped',
    bare,
    endpoints([{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }], {
      labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' },
    }),
    seen('skipped'),
    patch('Endpoints', 's', { metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': null } } }),
    seen('mirrored'),
    patch('Endpoints', 's', { metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } } }),
    seen('skipped again'),
  ),
  scenario(
    'mirrored-without-service',
    endpoints([{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }]),
    seen('none'),
    bare,
    seen('after'),
  ),
  scenario(
    'mirrored-then-selector',
    bare,
    endpoints([{ addresses: [{ ip: '192.0.2.1' }], ports: [{ name: 'x', port: 80 }] }]),
    ...two,
    seen('before'),
    change({ spec: { selector: { app: 'a' } } }),
    seen('after'),
  ),
  scenario(
    'mirrored-leader-annotation',
    bare,
    endpoints([{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }], {
      annotations: { 'control-plane.alpha.kubernetes.io/leader': 'x' },
    }),
    seen('after'),
  ),
  scenario(
    'mirrored-service-deleted',
    bare,
    endpoints([{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }]),
    seen('before'),
    remove('Service', 's'),
    seen('after'),
  ),
  scenario(
    'endpoints-made-before-service',
    ...two,
    endpoints([{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }]),
    service({}),
    seen('after'),
  ),
  scenario(
    'host-network-pods',
    backend('p1', {
      spec: { hostNetwork: true, containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] },
    }),
    podReady('p1'),
    service({}),
    seen('after'),
  ),
  onNodes(
    'zones-spread',
    [
      { name: 'a', labels: { 'topology.kubernetes.io/zone': 'z1' }, allocatable: { cpu: '2' } },
      { name: 'b', labels: { 'topology.kubernetes.io/zone': 'z2' }, allocatable: { cpu: '2' } },
    ],
    ...['a', 'b', 'a', 'b'].map((on, at) =>
      backend(`p${at}`, { spec: { nodeName: on, containers: [{ name: 'c', image: 'i' }] } }),
    ),
    wait(1500),
    service({}, { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } }),
    view('after', 'EndpointSlice'),
    { name: 'events', events: { kinds: ['Service'] } },
  ),
  onNodes(
    'node-without-zone',
    [{ name: 'a' }],
    backend('p1'),
    podReady('p1'),
    service({ trafficDistribution: 'PreferClose' }),
    view('after', 'EndpointSlice'),
  ),
  scenario(
    'load-balancer-status',
    ...two,
    create('Service', 's', { spec: { type: 'LoadBalancer', selector: { app: 'a' }, ports: [{ port: 80 }] } }),
    view('after', 'EndpointSlice', 'Service'),
  ),
  scenario(
    'finalizer-on-service',
    ...two,
    service({}, { finalizers: ['x.org/f'] }),
    seen('before'),
    remove('Service', 's'),
    seen('deleting'),
    change({ metadata: { finalizers: null } }),
    seen('gone'),
  ),
  scenario(
    'manual-slice-beside',
    ...two,
    service({}),
    create('EndpointSlice', 'mine', {
      metadata: { labels: { 'kubernetes.io/service-name': 's' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.7'] }],
      ports: [{ port: 80 }],
    }),
    seen('before'),
    remove('Service', 's'),
    seen('after'),
  ),
  scenario(
    'ports-without-selector-then-added',
    bare,
    wait(500),
    seen('nothing'),
    backend('p1'),
    podReady('p1'),
    change({ spec: { selector: { app: 'a' } } }),
    seen('selected'),
    change({ spec: { selector: null } }),
    seen('again without'),
  ),
  scenario(
    'application-protocols',
    service({
      ports: [
        { name: 'g', port: 80, appProtocol: 'kubernetes.io/h2c' },
        { name: 'w', port: 81, appProtocol: 'x.org/y' },
      ],
    }),
    ...two,
    seen('before'),
    change({ spec: { ports: [{ name: 'g', port: 80, appProtocol: 'http' }] } }),
    seen('after'),
  ),
  scenario(
    'headless-ready-only-with-subdomain',
    service({ clusterIP: 'None', ports: [{ port: 80 }] }),
    backend('p1', { spec: { hostname: 'one', subdomain: 's', containers: [{ name: 'c', image: 'img:1' }] } }),
    backend('p2', {
      run: 'running',
      spec: { hostname: 'two', subdomain: 's', containers: [{ name: 'c', image: 'img:1' }] },
    }),
    backend('p3', {
      spec: { hostname: 'three', subdomain: 'other', containers: [{ name: 'c', image: 'img:1' }] },
    }),
    podReady('p1'),
    podReady('p2'),
    podReady('p3'),
    seen('after'),
  ),
  scenario(
    'pod-gets-new-address',
    service({ ports: [{ port: 80 }] }),
    backend('p1'),
    podReady('p1'),
    seen('before'),
    {
      req: 'PATCH /api/v1/namespaces/$ns/pods/p1/status',
      body: { status: { podIP: '10.77.0.1', podIPs: [{ ip: '10.77.0.1' }] } },
    },
    view('after', {
      get: '/apis/discovery.k8s.io/v1/namespaces/$ns/endpointslices',
      pick: ['endpoints', 'ports'],
    }),
  ),
  scenario(
    'pod-without-address',
    service({ ports: [{ port: 80 }] }),
    backend('p1', { run: 'hold' }),
    wait(1500),
    seen('none'),
    { pods: { selector: 'app=a', do: 'ready' } },
    seen('one'),
  ),
  scenario(
    'same-port-number-two-names',
    service({
      ports: [
        { name: 'x', port: 80, targetPort: 8080 },
        { name: 'y', port: 81, targetPort: 8080 },
      ],
    }),
    ...two,
    seen('after'),
  ),
  scenario(
    'named-port-numbers-differ-by-pod',
    service({ ports: [{ name: 'x', port: 80, targetPort: 'web' }] }),
    backend('p1', {
      spec: { containers: [{ name: 'c', image: 'img:1', ports: [{ name: 'web', containerPort: 8080 }] }] },
    }),
    backend('p2', {
      spec: { containers: [{ name: 'c', image: 'img:1', ports: [{ name: 'web', containerPort: 9090 }] }] },
    }),
    backend('p3', {
      spec: {
        containers: [
          { name: 'c', image: 'img:1', ports: [{ name: 'web', containerPort: 8080, protocol: 'UDP' }] },
        ],
      },
    }),
    podReady('p1'),
    podReady('p2'),
    podReady('p3'),
    seen('after'),
    { pods: { selector: 'name=p2', do: 'delete' } },
    wait(1000),
    seen('less'),
  ),
  scenario(
    'slice-label-removed',
    service({ ports: [{ port: 80 }] }, { labels: { mine: 'x' } }),
    ...two,
    wait(500),
    { name: 'slices', req: 'GET /apis/discovery.k8s.io/v1/namespaces/$ns/endpointslices' },
    {
      req: 'PATCH /apis/discovery.k8s.io/v1/namespaces/$ns/endpointslices/$slices.items[0].metadata.name',
      body: { metadata: { labels: { 'endpointslice.kubernetes.io/managed-by': 'somebody.else' } } },
    },
    seen('after'),
  ),
  scenario(
    'slice-finalizer',
    service({ ports: [{ port: 80 }] }),
    ...two,
    wait(500),
    { name: 'slices', req: 'GET /apis/discovery.k8s.io/v1/namespaces/$ns/endpointslices' },
    {
      req: 'PATCH /apis/discovery.k8s.io/v1/namespaces/$ns/endpointslices/$slices.items[0].metadata.name',
      body: { metadata: { finalizers: ['x.org/f'] } },
    },
    { req: 'DELETE /apis/discovery.k8s.io/v1/namespaces/$ns/endpointslices/$slices.items[0].metadata.name' },
    seen('held'),
    {
      req: 'PATCH /apis/discovery.k8s.io/v1/namespaces/$ns/endpointslices/$slices.items[0].metadata.name',
      body: { metadata: { finalizers: null } },
    },
    seen('after'),
  ),
  scenario(
    'mirrored-named-ports-and-nodes',
    bare,
    endpoints([
      {
        addresses: [
          {
            ip: '10.1.1.1',
            nodeName: 'x',
            hostname: 'h',
            targetRef: { kind: 'Pod', name: 'p', namespace: '$ns' },
          },
        ],
        notReadyAddresses: [{ ip: '10.1.1.2' }],
        ports: [
          { name: 'x', port: 1 },
          { name: 'y', port: 2, protocol: 'UDP', appProtocol: 'http' },
        ],
      },
    ]),
    seen('after'),
  ),
  scenario(
    'mirrored-labels-and-annotations',
    bare,
    endpoints([{ addresses: [{ ip: '10.1.1.1' }], ports: [{ port: 1 }] }], {
      labels: { a: 'b' },
      annotations: { c: 'd', 'endpoints.kubernetes.io/last-change-trigger-time': '2020-01-01T00:00:00Z' },
    }),
    seen('before'),
    patch('Endpoints', 's', { metadata: { labels: { a: 'x' }, annotations: { c: null } } }),
    seen('after'),
    patch('Endpoints', 's', { metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } } }),
    seen('skipped'),
  ),
  scenario(
    'mirrored-none-left',
    bare,
    endpoints([{ addresses: [{ ip: '10.1.1.1' }], ports: [{ port: 1 }] }]),
    seen('before'),
    patch('Endpoints', 's', { subsets: [] }),
    seen('after'),
  ),
  scenario(
    'mirrored-beyond-a-thousand',
    bare,
    endpoints([
      {
        addresses: Array.from({ length: 1005 }, (_, at) => ({
          ip: `10.1.${Math.floor(at / 250)}.${(at % 250) + 1}`,
        })),
        ports: [{ port: 1 }],
      },
    ]),
    wait(2000),
    view('after', {
      get: '/apis/discovery.k8s.io/v1/namespaces/$ns/endpointslices',
      pick: ['metadata.labels', 'metadata.annotations', 'endpoints.#', 'ports'],
    }),
    events(),
  ),
  scenario(
    'external-addresses-and-session',
    service({
      ports: [{ port: 80 }],
      externalIPs: ['1.2.3.4'],
      sessionAffinity: 'ClientIP',
      internalTrafficPolicy: 'Local',
    }),
    ...two,
    view('after', 'Service', 'EndpointSlice', 'Endpoints'),
  ),
  scenario(
    'node-port-local-traffic',
    service({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] }),
    ...two,
    view('after', 'Service', 'EndpointSlice'),
    change({
      spec: {
        type: 'ClusterIP',
        externalTrafficPolicy: null,
        healthCheckNodePort: null,
        ports: [{ port: 80 }],
      },
    }),
    view('changed', 'Service', 'EndpointSlice'),
  ),
];
