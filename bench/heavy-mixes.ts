/**
 * Valid but expensive requests that a tenant may send, each mix with a number of concurrent clients, for
 * `heavy-tenant.ts`.
 */
import type { Question } from './both-servers.ts';

export interface Mix {
  readonly clients: number;
  /** Requests that create what the mix needs. */
  readonly before?: readonly Question[];
  /** How long what was created before takes until it is in effect, in milliseconds. */
  readonly settleMs?: number;
  question(client: number, round: number): Question;
}

export const configMaps = '/api/v1/namespaces/default/configmaps';
export const dryRun = `${configMaps}?dryRun=All`;
const json = 'application/json';
export const yaml = 'application/yaml';

const keyed = (count: number, value: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key-${at}`, value]));

const configMap = (name: string, data: Record<string, string>): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

const yamlMap = (name: string, count: number, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n` +
  Array.from({ length: count }, (_, at) => `  key-${at}: ${value}\n`).join('');

export const repeated = (clients: number, question: Question): Mix => ({ clients, question: () => question });

const largeYaml = yamlMap('yaml', 90_000, '"value of a key"');
const manyKeys = configMap('applied', keyed(40_000, 'v'));
const halfMegabyte = configMap('plain', keyed(16_000, 'the value of a key'));

const smallOnes = (count: number): readonly Question[] =>
  Array.from({ length: count }, (_, at) => ({
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    type: json,
    body: configMap(`one-${at}`, { text: 'x'.repeat(800), more: 'y' }),
  }));

export const storedLarge: Question = {
  method: 'POST',
  path: configMaps,
  type: json,
  body: configMap('large', keyed(25_000, 'v')),
};

/** Requests for the large object. */
const ofLarge = (clients: number, question: Question): Mix => ({
  ...repeated(clients, question),
  before: [storedLarge],
});

const metadataList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const notIn = Array.from({ length: 400 }, (_, at) => `value-${at}`).join(',');

/** Requests for 5,000 objects. */
const ofMany = (clients: number, question: Question): Mix => ({
  ...repeated(clients, question),
  before: smallOnes(5_000),
});

/** Requests that select from 5,000 objects or reduce what is returned of them. */
const ofSelections: Readonly<Record<string, Mix>> = {
  'lists-metadata-20': ofMany(20, { method: 'GET', path: configMaps, accept: metadataList }),
  'lists-gzip-20': ofMany(20, { method: 'GET', path: configMaps, encoding: 'gzip' }),
  'lists-labels-20': ofMany(20, {
    method: 'GET',
    path: `${configMaps}?labelSelector=app+notin+(${notIn}),other`,
  }),
  'lists-fields-20': ofMany(20, { method: 'GET', path: `${configMaps}?fieldSelector=metadata.name!=none` }),
  // About as long as Node's client sends.
  'lists-exclusions-20': ofMany(20, {
    method: 'GET',
    path: `${configMaps}?fieldSelector=${Array.from({ length: 2_500 }, (_, at) => `metadata.name!=none-${at}`).join(',')}`,
  }),
  'watches-20': ofMany(20, {
    method: 'GET',
    path:
      `${configMaps}?watch=1&sendInitialEvents=true&allowWatchBookmarks=true&timeoutSeconds=1` +
      `&resourceVersionMatch=NotOlderThan&labelSelector=!app`,
    accept: 'application/vnd.kubernetes.protobuf;stream=watch',
  }),
  'deletions-20': ofMany(20, { method: 'DELETE', path: `${configMaps}?dryRun=All` }),
};

/** As a user of many groups. */
const accessReview = (groups: number, prefix: string): Question =>
  post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    spec: {
      user: 'somebody',
      groups: Array.from({ length: groups }, (_, at) => `${prefix}${at}`),
      resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' },
    },
  });

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const heavies = '/apis/heavy.example/v1/namespaces/default/heavies';

export const definition = (plural: string, kind: string, schema: object): string =>
  JSON.stringify({
    metadata: { name: `${plural}.heavy.example` },
    spec: {
      group: 'heavy.example',
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });

/** Up to half of the cost that the rules of one object may have. */
const costlyRules = Array.from({ length: 8 }, (_, at) => ({
  rule: `self.all(x, self.all(y, x + y >= -${at}))`,
}));
const costly = {
  type: 'object',
  properties: {
    numbers: {
      type: 'array',
      maxItems: 200,
      items: { type: 'integer' },
      'x-kubernetes-validations': costlyRules,
    },
    spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const heavy = (name: string): string =>
  JSON.stringify({
    apiVersion: 'heavy.example/v1',
    kind: 'Heavy',
    metadata: { name },
    numbers: Array.from({ length: 200 }, (_, at) => at),
  });
const manyProperties = Object.fromEntries(
  Array.from({ length: 6_000 }, (_, at) => [
    `property${at}`,
    { type: 'array', items: { type: 'string', maxLength: 9 } },
  ]),
);
export const policies = '/apis/admissionregistration.k8s.io/v1';
export const policy = {
  metadata: { name: 'heavy' },
  spec: {
    matchConstraints: {
      resourceRules: [
        { apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'], operations: ['CREATE'] },
      ],
    },
    validations: [{ expression: 'object.data.all(x, object.data.all(y, x != y + "-"))' }],
  },
};
const binding = { metadata: { name: 'heavy' }, spec: { policyName: 'heavy', validationActions: ['Deny'] } };
const secret = JSON.stringify({ metadata: { name: 'heavy' }, data: keyed(300, 'dg==') });
export const post = (path: string, body: object | string): Question => ({
  method: 'POST',
  path,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const heavyDefinition = post(definitions, definition('heavies', 'Heavy', costly));

const ofExpressions: Readonly<Record<string, Mix>> = {
  'rules-40': {
    ...repeated(40, post(`${heavies}?dryRun=All`, heavy('costly'))),
    before: [heavyDefinition],
    settleMs: 3_000,
  },
  'policies-40': {
    ...repeated(40, post('/api/v1/namespaces/default/secrets?dryRun=All', secret)),
    before: [
      post(`${policies}/validatingadmissionpolicies`, policy),
      post(`${policies}/validatingadmissionpolicybindings`, binding),
    ],
    settleMs: 3_000,
  },
  'params-40': {
    ...repeated(
      40,
      post('/apis/batch/v1/namespaces/params/jobs?dryRun=All', {
        metadata: { name: 'one' },
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'one', image: 'one' }] } },
        },
      }),
    ),
    before: [
      post('/api/v1/namespaces', { metadata: { name: 'params' } }),
      ...Array.from({ length: 500 }, (_, at) =>
        post('/api/v1/namespaces/params/configmaps', {
          metadata: { name: `param-${at}`, labels: { is: 'param' } },
          data: { name: `name-${at}` },
        }),
      ),
      post(`${policies}/validatingadmissionpolicies`, {
        metadata: { name: 'params' },
        spec: {
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          matchConstraints: {
            resourceRules: [
              { apiGroups: ['batch'], apiVersions: ['v1'], resources: ['jobs'], operations: ['CREATE'] },
            ],
          },
          validations: [{ expression: 'object.metadata.name != params.data.name' }],
        },
      }),
      post(`${policies}/validatingadmissionpolicybindings`, {
        metadata: { name: 'params' },
        spec: {
          policyName: 'params',
          validationActions: ['Deny'],
          paramRef: { selector: { matchLabels: { is: 'param' } }, parameterNotFoundAction: 'Deny' },
        },
      }),
    ],
    settleMs: 2_000,
  },
  'definitions-20': repeated(
    20,
    post(
      `${definitions}?dryRun=All`,
      definition('larges', 'Large', { type: 'object', properties: manyProperties }),
    ),
  ),
  'definitions-stored-4': {
    clients: 4,
    question: (client, round) =>
      post(
        definitions,
        definition(`larges${client}x${round}`, `Large${client}x${round}`, {
          type: 'object',
          properties: manyProperties,
        }),
      ),
  },
};

const escaped = String.raw`\u00e9\n\"`.repeat(140_000);
const nested = `${'['.repeat(9_000)}${']'.repeat(9_000)}`;
const doubling = [
  { op: 'add', path: '/spec', value: { a: 'x'.repeat(1_000) } },
  ...Array.from({ length: 30 }, (_, at) => ({ op: 'copy', from: '/spec', path: `/spec/copy${at}` })),
];

const ofOddBodies: Readonly<Record<string, Mix>> = {
  'escapes-40': repeated(40, post(dryRun, `{"metadata":{"name":"escaped"},"data":{"text":"${escaped}"}}`)),
  'nested-40': repeated(40, post(dryRun, `{"metadata":{"name":"nested"},"data":${nested}}`)),
  'copies-40': {
    ...repeated(40, {
      method: 'PATCH',
      path: `${heavies}/small?dryRun=All`,
      type: 'application/json-patch+json',
      body: JSON.stringify(doubling),
    }),
    before: [
      heavyDefinition,
      post(
        heavies,
        JSON.stringify({ apiVersion: 'heavy.example/v1', kind: 'Heavy', metadata: { name: 'small' } }),
      ),
    ],
  },
  'strategic-40': ofLarge(40, {
    method: 'PATCH',
    path: `${configMaps}/large?dryRun=All`,
    type: 'application/strategic-merge-patch+json',
    body: JSON.stringify({ data: keyed(3_000, 'w') }),
  }),
  'reviews-40': repeated(40, accessReview(60_000, 'group-')),
  // Short enough for the main thread.
  'reviews-short-40': repeated(40, accessReview(6_000, '')),
  'tokens-40': repeated(
    40,
    post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: `${'a'.repeat(1_000_000)}.b.c` } }),
  ),
  'quotas-40': repeated(
    40,
    post('/api/v1/namespaces/default/resourcequotas?dryRun=All', {
      metadata: { name: 'scopes' },
      spec: { scopes: Array.from({ length: 1_500 }, (_, at) => `no-scope-${at}`) },
    }),
  ),
  'topologies-40': repeated(
    40,
    post('/apis/storage.k8s.io/v1/storageclasses?dryRun=All', {
      metadata: { name: 'empty' },
      provisioner: 'example.com/none',
      allowedTopologies: Array.from({ length: 2_000 }, () => ({})),
    }),
  ),
};

const items = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({ name: `item-${at}`, value: 'v', tags: [`tag-${at}`] }));
const keyedLists = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string' },
          value: { type: 'string', pattern: '^[a-z]+$', default: 'v' },
          tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        },
      },
    },
  },
};
const lists = '/apis/heavy.example/v1/namespaces/default/lists';
const keyedList = (name: string, count: number): string =>
  JSON.stringify({
    apiVersion: 'heavy.example/v1',
    kind: 'KeyedList',
    metadata: { name },
    items: items(count),
  });
const ofKeyedLists = (question: Question): Mix => ({
  ...repeated(40, question),
  before: [
    post(definitions, definition('lists', 'KeyedList', keyedLists)),
    post(lists, keyedList('stored', 8_000)),
  ],
  settleMs: 3_000,
});

const pods = '/api/v1/namespaces/default/pods';
const environment = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `NAME_${at}`, value: `$(NAME_${at - 1})` }));
const podOf = (container: object, more: object = {}): object => ({
  metadata: { name: 'heavy' },
  spec: { containers: [{ name: 'one', image: 'one', ...container }], ...more },
});

const ofLists: Readonly<Record<string, Mix>> = {
  'keyed-lists-40': ofKeyedLists(post(`${lists}?dryRun=All`, keyedList('new', 15_000))),
  'keyed-lists-apply-40': ofKeyedLists({
    method: 'PATCH',
    path: `${lists}/stored?dryRun=All&fieldManager=tenant&force=true`,
    type: 'application/apply-patch+yaml',
    body: keyedList('stored', 15_000),
  }),
  'keyed-lists-patch-40': ofKeyedLists({
    method: 'PATCH',
    path: `${lists}/stored?dryRun=All`,
    type: 'application/merge-patch+json',
    body: '{"metadata":{"labels":{"a":"b"}}}',
  }),
  'environments-40': repeated(40, post(`${pods}?dryRun=All`, podOf({ env: environment(25_000) }))),
  'containers-40': repeated(
    40,
    post(
      `${pods}?dryRun=All`,
      podOf(
        {},
        { initContainers: Array.from({ length: 15_000 }, (_, at) => ({ name: `c${at}`, image: 'i' })) },
      ),
    ),
  ),
  'element-orders-40': {
    ...repeated(40, {
      method: 'PATCH',
      path: `${pods}/heavy?dryRun=All`,
      type: 'application/strategic-merge-patch+json',
      body: JSON.stringify({
        spec: {
          containers: [
            {
              name: 'one',
              '$setElementOrder/env': environment(8_000).map(({ name }) => ({ name })),
              env: environment(8_000).toReversed(),
            },
          ],
        },
      }),
    }),
    before: [post(pods, podOf({ env: environment(4_000) }))],
  },
  'policies-peers-40': repeated(
    40,
    post('/apis/networking.k8s.io/v1/namespaces/default/networkpolicies?dryRun=All', {
      metadata: { name: 'heavy' },
      spec: {
        podSelector: {},
        ingress: Array.from({ length: 2_000 }, (_, at) => ({
          from: [{ ipBlock: { cidr: '10.0.0.0/8', except: [`10.${at % 256}.0.0/16`, '10.1.2.0/24'] } }],
          ports: [{ port: (at % 60_000) + 1 }],
        })),
      },
    }),
  ),
  'slices-40': repeated(
    40,
    post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?dryRun=All', {
      metadata: { name: 'heavy' },
      addressType: 'IPv4',
      endpoints: Array.from({ length: 1_000 }, (_, at) => ({
        addresses: Array.from({ length: 100 }, (_each, last) => `10.${at % 250}.${(at >> 3) % 250}.${last}`),
      })),
      ports: Array.from({ length: 100 }, (_, at) => ({ name: `p${at}`, port: at + 1 })),
    }),
  ),
  'roles-40': repeated(
    40,
    post('/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles?dryRun=All', {
      metadata: { name: 'heavy' },
      rules: Array.from({ length: 20_000 }, (_, at) => ({
        apiGroups: [''],
        resources: ['configmaps'],
        resourceNames: [`name-${at}`],
        verbs: ['get', 'list'],
      })),
    }),
  ),
};

const conditions = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({ type: `type-${at}`, status: 'True', reason: 'Because' }));
const columned = JSON.parse(
  definition('columned', 'Columned', {
    type: 'object',
    properties: {
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  }),
);
columned.spec.versions[0].additionalPrinterColumns = Array.from({ length: 40 }, (_, at) => ({
  name: `C${at}`,
  type: 'string',
  jsonPath: `.status.conditions[?(@.type=="type-${at}")].status`,
}));

/** Costly per object, so that a slice has few of them. */
const ofColumns: Readonly<Record<string, Mix>> = {
  'tables-columns-20': {
    ...repeated(20, {
      method: 'GET',
      path: '/apis/heavy.example/v1/namespaces/default/columned',
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    }),
    before: [
      post(definitions, columned),
      ...Array.from({ length: 2_000 }, (_, at) =>
        post('/apis/heavy.example/v1/namespaces/default/columned', {
          apiVersion: 'heavy.example/v1',
          kind: 'Columned',
          metadata: { name: `one-${at}` },
          status: { conditions: conditions(40) },
        }),
      ),
    ],
    settleMs: 1_000,
  },
};

const ofDocuments: Readonly<Record<string, Mix>> = {
  'openapi-40': repeated(40, { method: 'GET', path: '/openapi/v2', encoding: 'gzip' }),
  'openapi-v3-40': repeated(40, { method: 'GET', path: '/openapi/v3/apis/apps/v1' }),
  'metrics-40': repeated(40, { method: 'GET', path: '/metrics' }),
  'discovery-40': repeated(40, {
    method: 'GET',
    path: '/apis',
    accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  }),
};

export const mixes: Readonly<Record<string, Mix>> = {
  'connections-40': repeated(40, { method: 'GET', path: '/api/v1/namespaces/kube-system' }),
  'yaml-12': repeated(12, { method: 'POST', path: dryRun, type: yaml, body: largeYaml }),
  'yaml-40': repeated(40, { method: 'POST', path: dryRun, type: yaml, body: largeYaml }),
  'apply-40': repeated(40, {
    method: 'PATCH',
    path: `${configMaps}/applied?dryRun=All&fieldManager=tenant&force=true`,
    type: 'application/apply-patch+yaml',
    body: manyKeys,
  }),
  'json-40': repeated(40, { method: 'POST', path: dryRun, type: json, body: halfMegabyte }),
  // Short enough for the main thread.
  'json-short-40': repeated(40, {
    method: 'POST',
    path: dryRun,
    type: json,
    body: configMap('short', keyed(2_000, 'a value')),
  }),
  'json-3m': repeated(20, {
    method: 'POST',
    path: dryRun,
    type: json,
    body: configMap('most', keyed(130_000, 'v')),
  }),
  'lists-yaml-20': ofMany(20, { method: 'GET', path: configMaps, accept: yaml }),
  'lists-protobuf-20': ofMany(20, {
    method: 'GET',
    path: configMaps,
    accept: 'application/vnd.kubernetes.protobuf',
  }),
  'lists-table-20': ofMany(20, {
    method: 'GET',
    path: configMaps,
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  }),
  'lists-pretty-20': ofMany(20, { method: 'GET', path: `${configMaps}?pretty=true` }),
  'patch-large-40': ofLarge(40, {
    method: 'PATCH',
    path: `${configMaps}/large?dryRun=All`,
    type: 'application/merge-patch+json',
    body: '{"data":{"key-1":"w"}}',
  }),
  'json-patch-40': ofLarge(40, {
    method: 'PATCH',
    path: `${configMaps}/large?dryRun=All`,
    type: 'application/json-patch+json',
    body: JSON.stringify(
      Array.from({ length: 5_000 }, (_, at) => ({ op: 'test', path: '/data/key-1', value: 'v', at })),
    ),
  }),
  'get-yaml-40': ofLarge(40, { method: 'GET', path: `${configMaps}/large`, accept: yaml }),
  'invalid-40': repeated(40, {
    method: 'POST',
    path: dryRun,
    type: json,
    body: configMap(
      'bad',
      Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`no good key ${at}`, 'v'])),
    ),
  }),
  ...ofSelections,
  ...ofExpressions,
  ...ofOddBodies,
  ...ofLists,
  ...ofColumns,
  ...ofDocuments,
};
