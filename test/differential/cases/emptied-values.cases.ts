/** Objects with an empty or null value at one place: what is answered, what is read back, and whether it is a change. */
import { ask, mergePatch, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

type Json = Readonly<Record<string, unknown>>;

const core = '/api/v1/namespaces/$ns';
const apps = '/apis/apps/v1/namespaces/$ns';
const labels = { a: 'b' };
const podSpec = { containers: [{ name: 'c', image: 'i' }] };
const template = { metadata: { labels }, spec: podSpec };
const workload = { selector: { matchLabels: labels }, template };
const jobSpec = { ...podSpec, restartPolicy: 'Never' };

const inMetadata = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'managedFields'].map(
  (member) => `metadata.${member}`,
);
const inPod = (at: string) =>
  [
    'nodeSelector',
    'tolerations',
    'volumes',
    'initContainers',
    'hostAliases',
    'imagePullSecrets',
    'affinity',
    'securityContext',
    'dnsConfig',
    'containers.0.env',
    'containers.0.resources',
    'containers.0.ports',
    'containers.0.command',
    'containers.0.securityContext',
    'containers.0.lifecycle',
    'containers.0.resources.limits',
    'containers.0.livenessProbe',
  ].map((member) => `${at}.${member}`);
const inTemplate = (at: string) => [
  `${at}.metadata`,
  `${at}.metadata.labels`,
  `${at}.metadata.annotations`,
  ...inPod(`${at}.spec`),
];

/** By collection, an object and the places in it. */
const subjects: readonly (readonly [string, Json, readonly string[]])[] = [
  [
    `${core}/configmaps`,
    { data: { a: 'b' } },
    [...inMetadata, 'data', 'data.d', 'binaryData', 'binaryData.d', 'immutable'],
  ],
  [
    `${core}/secrets`,
    { data: { a: 'Yg==' } },
    ['data', 'data.d', 'stringData', 'stringData.d', 'type', 'metadata.labels.x'],
  ],
  [`${core}/pods`, { spec: podSpec }, [...inPod('spec'), 'status', 'spec.overhead', 'spec.nodeName']],
  [
    `${apps}/deployments`,
    { spec: workload },
    [...inTemplate('spec.template'), 'spec.strategy', 'spec.selector.matchExpressions'],
  ],
  [
    '/apis/batch/v1/namespaces/$ns/jobs',
    { spec: { template: { spec: jobSpec } } },
    [...inMetadata, ...inTemplate('spec.template'), 'spec.podFailurePolicy', 'spec.selector'],
  ],
  [
    '/apis/batch/v1/namespaces/$ns/cronjobs',
    { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: jobSpec } } } } },
    [
      ...inTemplate('spec.jobTemplate.spec.template'),
      'spec.jobTemplate.metadata',
      'spec.jobTemplate.metadata.labels',
    ],
  ],
  [
    `${core}/replicationcontrollers`,
    { spec: { selector: labels, template } },
    ['metadata.labels', 'spec.template.metadata.annotations', 'spec.selector'],
  ],
  [
    `${core}/services`,
    { spec: { ports: [{ port: 80 }], selector: labels } },
    [
      'spec.selector',
      'spec.externalIPs',
      'spec.loadBalancerSourceRanges',
      'spec.sessionAffinityConfig',
      'status',
      'status.loadBalancer',
      'spec.clusterIPs',
      'spec.ipFamilies',
    ],
  ],
  [
    `${core}/persistentvolumeclaims`,
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } },
    ['spec.selector', 'spec.resources.limits', 'spec.dataSource', 'spec.storageClassName', 'status.capacity'],
  ],
  [`${core}/serviceaccounts`, {}, ['secrets', 'imagePullSecrets']],
  [
    `${core}/limitranges`,
    { spec: { limits: [{ type: 'Container' }] } },
    ['spec', 'spec.limits', 'spec.limits.0.max', 'spec.limits.0.default'],
  ],
  [
    `${core}/resourcequotas`,
    { spec: { hard: { pods: '1' } } },
    ['spec', 'spec.hard', 'spec.scopes', 'spec.scopeSelector'],
  ],
  [
    '/apis/networking.k8s.io/v1/namespaces/$ns/networkpolicies',
    { spec: { podSelector: {} } },
    [
      'spec',
      'spec.podSelector',
      'spec.podSelector.matchLabels',
      'spec.ingress',
      'spec.ingress.0',
      'spec.egress',
      'spec.policyTypes',
    ],
  ],
  [
    '/apis/networking.k8s.io/v1/namespaces/$ns/ingresses',
    { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
    ['spec.rules', 'spec.tls', 'spec.tls.0', 'status.loadBalancer'],
  ],
  [
    '/apis/policy/v1/namespaces/$ns/poddisruptionbudgets',
    { spec: { minAvailable: 1 } },
    ['spec.selector', 'spec.selector.matchLabels', 'status.conditions', 'status.disruptedPods'],
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/namespaces/$ns/roles',
    { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
    ['rules', 'rules.0.resourceNames', 'rules.0.nonResourceURLs'],
  ],
  [
    '/apis/autoscaling/v2/namespaces/$ns/horizontalpodautoscalers',
    { spec: { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'd' } } },
    ['spec.metrics', 'spec.behavior', 'spec.behavior.scaleUp', 'status.conditions', 'status'],
  ],
  [
    '/apis/discovery.k8s.io/v1/namespaces/$ns/endpointslices',
    { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.2.3'] }] },
    [
      'endpoints',
      'endpoints.0.conditions',
      'endpoints.0.hints',
      'endpoints.0.deprecatedTopology',
      'ports',
      'ports.0',
      'metadata.labels',
    ],
  ],
  [`${core}/endpoints`, {}, ['subsets', 'subsets.0', 'metadata.labels']],
  ['/apis/coordination.k8s.io/v1/namespaces/$ns/leases', {}, ['spec', 'spec.holderIdentity']],
  [
    '/apis/resource.k8s.io/v1/namespaces/$ns/resourceclaims',
    { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'c' } }] } } },
    [
      'spec.devices.requests',
      'spec.devices.constraints',
      'spec.devices.requests.0.exactly.capacity',
      'spec.devices.requests.0.exactly.selectors',
      'status',
    ],
  ],
];

/**
 * Protobuf writes bytes that are null otherwise than empty ones, and stores labels that a job shares with its template:
 * the next write that changes nothing is a change in one server only.
 */
const isCountedOtherwise = (resource: string, place: string, value: unknown): boolean =>
  value === null
    ? /^(data|binaryData)\.d$/.test(place)
    : resource === 'jobs' && place === 'spec.template.metadata.labels' && !Array.isArray(value);

/** Steps on the way that are not there become objects, or lists before numbers. */
function put(value: unknown, [key, ...rest]: readonly string[], given: unknown): unknown {
  if (key === undefined) return given;
  const holder = value ?? (/^\d+$/.test(key) ? [] : {});
  if (Array.isArray(holder)) {
    const copy: unknown[] = [...(holder as unknown[])];
    copy[Number(key)] = put(copy[Number(key)], rest, given);
    return copy;
  }
  return { ...(holder as Json), [key]: put((holder as Json)[key], rest, given) };
}

const unless = (version: string, one: string): Step =>
  ask(
    `DELETE ${one}`,
    { dryRun: ['All'], preconditions: { resourceVersion: `$${version}.metadata.resourceVersion` } },
    { quiet: true },
  );

/** A creation, a patch that changes nothing, an update with the same body, and whether each of them wrote. */
function steps(collection: string, body: unknown, name: string): Step[] {
  const one = `${collection}/${name}`;
  const read = (as: string): Step => ({ ...ask(`GET ${one}`), name: `${name}-${as}` });
  return [
    { ...ask(`POST ${collection}`, body), name: `${name}-made` },
    ask(`PATCH ${one}`, { metadata: {} }, { ...mergePatch, quiet: true }),
    unless(`${name}-made`, one),
    read('read'),
    ask(`PUT ${one}`, body),
    unless(`${name}-read`, one),
    ask(`PATCH ${one}?fieldManager=m&force=true`, body, { type: 'application/apply-patch+yaml' }),
    read('last'),
  ];
}

const kindOf: Readonly<Record<string, readonly [string, string]>> = {
  configmaps: ['v1', 'ConfigMap'],
  secrets: ['v1', 'Secret'],
  pods: ['v1', 'Pod'],
  deployments: ['apps/v1', 'Deployment'],
  jobs: ['batch/v1', 'Job'],
  cronjobs: ['batch/v1', 'CronJob'],
  replicationcontrollers: ['v1', 'ReplicationController'],
  services: ['v1', 'Service'],
  persistentvolumeclaims: ['v1', 'PersistentVolumeClaim'],
  serviceaccounts: ['v1', 'ServiceAccount'],
  limitranges: ['v1', 'LimitRange'],
  resourcequotas: ['v1', 'ResourceQuota'],
  networkpolicies: ['networking.k8s.io/v1', 'NetworkPolicy'],
  ingresses: ['networking.k8s.io/v1', 'Ingress'],
  poddisruptionbudgets: ['policy/v1', 'PodDisruptionBudget'],
  roles: ['rbac.authorization.k8s.io/v1', 'Role'],
  horizontalpodautoscalers: ['autoscaling/v2', 'HorizontalPodAutoscaler'],
  endpointslices: ['discovery.k8s.io/v1', 'EndpointSlice'],
  endpoints: ['v1', 'Endpoints'],
  leases: ['coordination.k8s.io/v1', 'Lease'],
  resourceclaims: ['resource.k8s.io/v1', 'ResourceClaim'],
};

export const cases: readonly DifferentialCase[] = subjects.flatMap(([collection, base, places]) => {
  const resource = collection.replace(/^.*\//, '');
  const [apiVersion, kind] = kindOf[resource]!;
  const bodies = places.flatMap((place) =>
    [{}, [], null]
      .filter((value) => !isCountedOtherwise(resource, place, value))
      .map((value) => put({ apiVersion, kind, metadata: {}, ...base }, place.split('.'), value)),
  );
  // A case ends where its object is refused.
  return bodies.map((body, at) => ({
    name: `${resource}-${at}`,
    steps: steps(collection, put(body, ['metadata', 'name'], 'n'), 'n'),
  }));
});
