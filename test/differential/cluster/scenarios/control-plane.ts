/** What the API server itself sees to over time: its own objects, definitions, extension servers, policies. */
import type { JsonObject, Scenario, Step } from '../scenario.ts';
import {
  collection,
  container,
  create,
  events,
  item,
  object,
  onNodes,
  patch,
  pod,
  podReady,
  remove,
  scenario,
  selector,
  template,
  until,
  view,
  wait,
} from './building.ts';

const alone = (name: string, ...steps: Step[]): Scenario => ({ name, alone: true, steps });
const flow = '/apis/flowcontrol.apiserver.k8s.io/v1';
const apiService = (name: string, service: JsonObject, more: JsonObject = {}): Step =>
  create('APIService', `v1.${name}$id.org`, {
    spec: {
      group: `${name}$id.org`,
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service,
      ...more,
    },
  });
const extensions = view('extension servers', {
  get: `${collection('APIService')}/v1.x$id.org`,
  pick: ['status'],
});
const schema = (more: JsonObject = {}): JsonObject => ({
  openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...more },
});
const version = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  served: true,
  storage: true,
  schema: schema(),
  ...more,
});
const definition = (
  plural: string,
  names: JsonObject,
  versions: JsonObject[] = [version('v1')],
  metadata: JsonObject = {},
  group = 'd$id.org',
): Step =>
  create('CustomResourceDefinition', `${plural}.${group}`, {
    metadata,
    spec: { group, scope: 'Namespaced', names: { plural, ...names }, versions },
  });
const defined = (name: string, ...plurals: string[]) =>
  view(
    name,
    ...plurals.map((plural) => ({
      get: item('CustomResourceDefinition', `${plural}.d$id.org`),
      pick: ['status', 'spec.names', 'spec.conversion', 'metadata.generation', 'metadata.finalizers'],
    })),
  );
const tokenOf = (account: string, spec: JsonObject = {}): Step => ({
  name: 'asked',
  req: `POST ${item('ServiceAccount', account)}/token`,
  body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec },
});
const review = (audiences?: string[]): Step => ({
  req: 'POST /apis/authentication.k8s.io/v1/tokenreviews',
  full: true,
  body: {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token: '$asked.status.token', ...(audiences && { audiences }) },
  },
});
const webhook = (kind: string, failurePolicy: string, operations: string[] = ['CREATE']): Step => ({
  req: `POST /apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}s`,
  body: {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: 'w-$id' },
    webhooks: [
      {
        name: 'w.x.org',
        failurePolicy,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 1,
        clientConfig: { service: { namespace: '$ns', name: 'none' } },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '$ns' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations, resources: ['pods'] }],
      },
    ],
  },
});

export const controlPlaneScenarios: readonly Scenario[] = [
  alone(
    'own-service-comes-back',
    { req: 'DELETE /api/v1/namespaces/default/services/kubernetes' },
    wait(12_000),
    view(
      'back',
      { get: '/api/v1/namespaces/default/services/kubernetes', drop: ['spec.ports.*.targetPort'] },
      { get: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', drop: ['ports.*.port'] },
      { get: '/api/v1/namespaces/default/endpoints', drop: ['subsets.*.ports.*.port'] },
    ),
  ),
  alone(
    'own-endpoints-come-back',
    {
      req: 'PATCH /api/v1/namespaces/default/endpoints/kubernetes',
      body: { subsets: [{ addresses: [{ ip: '1.2.3.4' }], ports: [{ name: 'https', port: 1 }] }] },
    },
    { req: 'DELETE /apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes' },
    wait(12_000),
    view(
      'back',
      { get: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', drop: ['ports.*.port'] },
      { get: '/api/v1/namespaces/default/endpoints', drop: ['subsets.*.ports.*.port'] },
    ),
  ),
  scenario(
    'flow-schema-dangles',
    {
      req: `POST ${flow}/flowschemas`,
      body: {
        apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
        kind: 'FlowSchema',
        metadata: { name: 'f-$id' },
        spec: { priorityLevelConfiguration: { name: 'l-$id' }, matchingPrecedence: 9000 },
      },
    },
    wait(1500),
    view('dangling', { get: `${flow}/flowschemas/f-$id` }),
    {
      req: `POST ${flow}/prioritylevelconfigurations`,
      body: {
        apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
        kind: 'PriorityLevelConfiguration',
        metadata: { name: 'l-$id' },
        spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1 } },
      },
    },
    wait(1500),
    view('found', { get: `${flow}/flowschemas/f-$id` }, { get: `${flow}/prioritylevelconfigurations/l-$id` }),
    { req: `DELETE ${flow}/prioritylevelconfigurations/l-$id` },
    wait(1500),
    view('dangling again', { get: `${flow}/flowschemas/f-$id` }),
  ),
  scenario(
    'system-classes-refused',
    { req: 'DELETE /apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical?dryRun=All', full: true },
    { req: `DELETE ${flow}/flowschemas/exempt?dryRun=All` },
    { req: 'DELETE /api/v1/namespaces/default?dryRun=All', full: true },
    { req: 'DELETE /api/v1/namespaces/kube-system?dryRun=All', full: true },
    { req: `DELETE ${item('ServiceCIDR', 'kubernetes')}?dryRun=All` },
  ),
  scenario(
    'extension-without-service',
    apiService('x', { namespace: '$ns', name: 'none' }),
    wait(2500),
    extensions,
  ),
  scenario(
    'extension-without-endpoints',
    create('Service', 's', { spec: { ports: [{ port: 443 }], selector: { a: 'b' } } }),
    apiService('x', { namespace: '$ns', name: 's' }),
    wait(2500),
    extensions,
  ),
  scenario(
    'extension-on-other-port',
    create('Service', 's', { spec: { ports: [{ port: 80 }], selector: { a: 'b' } } }),
    apiService('x', { namespace: '$ns', name: 's' }),
    wait(2500),
    extensions,
    patch('Service', 's', { spec: { ports: [{ port: 443 }] } }),
    wait(2500),
    view('now', { get: `${collection('APIService')}/v1.x$id.org`, pick: ['status'] }),
  ),
  scenario(
    'namespace-deleted-while-an-extension-is-away',
    apiService('x', { namespace: '$ns', name: 'none' }),
    wait(2500),
    { req: `POST ${collection('Namespace')}`, body: object('Namespace', '$ns-x') },
    wait(1000),
    { req: `DELETE ${item('Namespace', '$ns-x')}` },
    wait(3000),
    view('stuck', item('Namespace', '$ns-x')),
    remove('APIService', 'v1.x$id.org'),
    { settle: { until: [{ get: item('Namespace', '$ns-x'), where: 'gone' }], timeoutMs: 60_000 } },
  ),
  scenario(
    'definition-names-conflict',
    definition('foos', { singular: 'foo', kind: 'Foo', listKind: 'FooList', shortNames: ['f'] }),
    wait(1000),
    definition('bars', { singular: 'bar', kind: 'Foo', shortNames: ['f', 'b'] }),
    wait(1000),
    defined('conflict', 'foos', 'bars'),
    remove('CustomResourceDefinition', 'foos.d$id.org'),
    wait(2500),
    defined('free', 'bars'),
  ),
  scenario(
    'definition-singular-is-others-plural',
    definition('foos', { singular: 'foo', kind: 'Foo' }),
    wait(1000),
    definition('bars', { singular: 'foos', kind: 'Bar', listKind: 'FooList' }),
    wait(1000),
    defined('conflict', 'bars'),
  ),
  scenario(
    'definition-versions-move',
    definition('foos', { kind: 'Foo' }, [version('v1'), version('v2', { storage: false })]),
    wait(1000),
    defined('one', 'foos'),
    patch('CustomResourceDefinition', 'foos.d$id.org', {
      spec: { versions: [version('v1', { storage: false }), version('v2')] },
    }),
    wait(1000),
    defined('two', 'foos'),
    {
      ...patch('CustomResourceDefinition', 'foos.d$id.org', { spec: { versions: [version('v2')] } }),
      full: true,
    },
    patch('CustomResourceDefinition', 'foos.d$id.org', { status: { storedVersions: ['v2'] } }, '/status'),
    patch('CustomResourceDefinition', 'foos.d$id.org', { spec: { versions: [version('v2')] } }),
    wait(1000),
    defined('three', 'foos'),
  ),
  scenario(
    'definition-of-protected-group',
    definition('foos', { kind: 'Foo' }, [version('v1')], {}, 'd$id.k8s.io'),
    definition(
      'bars',
      { kind: 'Bar' },
      [version('v1')],
      { annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/kubernetes/pull/1' } },
      'd$id.k8s.io',
    ),
    wait(1000),
    view('bars', { get: item('CustomResourceDefinition', 'bars.d$id.k8s.io'), pick: ['status'] }),
  ),
  scenario(
    'definition-deleted-and-made-again',
    definition('foos', { kind: 'Foo' }),
    until(
      item('CustomResourceDefinition', 'foos.d$id.org'),
      'status.conditions[type=Established].status==True',
    ),
    wait(1500),
    {
      req: 'POST /apis/d$id.org/v1/namespaces/$ns/foos',
      body: { apiVersion: 'd$id.org/v1', kind: 'Foo', metadata: { name: 'a' } },
    },
    remove('CustomResourceDefinition', 'foos.d$id.org'),
    {
      settle: {
        until: [{ get: item('CustomResourceDefinition', 'foos.d$id.org'), where: 'gone' }],
        timeoutMs: 30_000,
      },
    },
    definition('foos', { kind: 'Foo' }),
    until(
      item('CustomResourceDefinition', 'foos.d$id.org'),
      'status.conditions[type=Established].status==True',
    ),
    wait(2500),
    view('empty', '/apis/d$id.org/v1/namespaces/$ns/foos'),
  ),
  scenario(
    'token-reviewed-until-account-goes',
    create('ServiceAccount', 'a'),
    tokenOf('a', { audiences: ['https://kubernetes.default.svc', 'other'], expirationSeconds: 600 }),
    review(),
    review(['other']),
    review(['nobody']),
    remove('ServiceAccount', 'a'),
    wait(1500),
    review(),
  ),
  scenario(
    'token-reviewed-until-pod-goes',
    pod('p', { spec: { nodeName: 'pool-1', containers: [container()] } }),
    podReady('p'),
    { name: 'p', req: `GET ${item('Pod', 'p')}` },
    tokenOf('default', {
      boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '$p.metadata.uid' },
    }),
    review(),
    remove('Pod', 'p'),
    wait(2000),
    review(),
  ),
  scenario(
    'webhook-away-fails-pods',
    webhook('ValidatingWebhookConfiguration', 'Fail'),
    wait(2500),
    create('ReplicaSet', 'web', { spec: { replicas: 1, selector, template: template() } }),
    wait(1500),
    view('after', 'ReplicaSet', 'Pod'),
    events(),
    { req: 'DELETE /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/w-$id' },
  ),
  scenario(
    'webhook-away-is-ignored',
    webhook('MutatingWebhookConfiguration', 'Ignore'),
    wait(2500),
    create('ReplicaSet', 'web', { spec: { replicas: 1, selector, template: template() } }),
    wait(1500),
    view('after', 'ReplicaSet', 'Pod'),
    { req: 'DELETE /apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/w-$id' },
  ),
  scenario(
    'webhook-away-holds-evictions-and-deletions',
    pod('p', { metadata: { finalizers: ['x.org/f'] } }),
    podReady('p'),
    webhook('ValidatingWebhookConfiguration', 'Fail', ['DELETE', 'UPDATE']),
    wait(2500),
    { ...remove('Pod', 'p'), full: true },
    { ...patch('Pod', 'p', { metadata: { labels: { a: 'b' } } }), full: true },
    { req: 'DELETE /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/w-$id' },
    wait(2000),
    patch('Pod', 'p', { metadata: { finalizers: null } }),
  ),
  onNodes(
    'stateful-set-on-late-volumes',
    [{ name: 'a' }, { name: 'b' }],
    create('StorageClass', 'c-$id', {
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
    }),
    ...['a', 'b'].map((host) =>
      create('PersistentVolume', `${host}-$id`, {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'c-$id',
          local: { path: '/x' },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [host] }] },
              ],
            },
          },
        },
      }),
    ),
    create('StatefulSet', 'db', {
      spec: {
        replicas: 3,
        serviceName: 's',
        selector,
        template: template({ spec: { containers: [container()] } }),
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: {
              accessModes: ['ReadWriteOnce'],
              storageClassName: 'c-$id',
              resources: { requests: { storage: '1Gi' } },
            },
          },
        ],
      },
    }),
    wait(5000),
    view(
      'two of three',
      { get: collection('StatefulSet'), pick: ['status.replicas', 'status.readyReplicas'] },
      { get: collection('PersistentVolumeClaim'), pick: ['metadata.name', 'status.phase'] },
    ),
    events({ names: ['db-2', 'data-db-2'] }),
  ),
  scenario(
    'service-wants-two-families',
    {
      ...create('Service', 'prefers', { spec: { ipFamilyPolicy: 'PreferDualStack', ports: [{ port: 80 }] } }),
      full: true,
    },
    {
      ...create('Service', 'requires', {
        spec: { ipFamilyPolicy: 'RequireDualStack', ports: [{ port: 80 }] },
      }),
      full: true,
    },
    { ...create('Service', 'six', { spec: { ipFamilies: ['IPv6'], ports: [{ port: 80 }] } }), full: true },
    {
      ...create('Service', 'headless', {
        spec: { clusterIP: 'None', ipFamilyPolicy: 'PreferDualStack', ports: [{ port: 80 }] },
      }),
      full: true,
    },
    {
      ...create('Service', 'bare', { spec: { clusterIP: 'None', ipFamilyPolicy: 'RequireDualStack' } }),
      full: true,
    },
    view('slices', 'EndpointSlice'),
  ),
];
