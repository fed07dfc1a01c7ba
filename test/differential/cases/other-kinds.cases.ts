/** Bodies that are of another kind than the path, or of none, at every verb and subresource. */
import { applyPatch, ask, jsonPatch, mergePatch, strategicPatch, type DifferentialCase } from './case.ts';
import { customGroup, defined, widgets, withoutDefinition } from './definition.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

type Json = Readonly<Record<string, unknown>>;

interface Target {
  readonly name: string;
  readonly collection: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly content?: Json;
  /** Types that are answered otherwise here. */
  readonly skips?: readonly string[];
  /** Its name, if it can't be `one`. */
  readonly object?: string;
  /** Subresources with the kind that they take. */
  readonly subresources?: Readonly<Record<string, readonly [string, string]>>;
  readonly before?: readonly Step[];
  readonly cleanup?: readonly Step[];
}

const core = '/api/v1/namespaces/$ns';
const podSpec = { containers: [{ name: 'c', image: 'i' }] };

const targets: readonly Target[] = [
  { name: 'configmaps', collection: `${core}/configmaps`, apiVersion: 'v1', kind: 'ConfigMap' },
  {
    name: 'pods',
    collection: `${core}/pods`,
    apiVersion: 'v1',
    kind: 'Pod',
    content: { spec: podSpec },
    // To the original, another way to write the version is a change.
    skips: ['leadingSlash'],
    subresources: {
      status: ['v1', 'Pod'],
      binding: ['v1', 'Binding'],
      eviction: ['policy/v1', 'Eviction'],
      ephemeralcontainers: ['v1', 'Pod'],
      resize: ['v1', 'Pod'],
    },
  },
  {
    name: 'deployments',
    collection: '/apis/apps/v1/namespaces/$ns/deployments',
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    content: {
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: podSpec },
      },
    },
    subresources: { status: ['apps/v1', 'Deployment'], scale: ['autoscaling/v1', 'Scale'] },
  },
  {
    name: 'serviceaccounts',
    collection: `${core}/serviceaccounts`,
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    subresources: { token: ['authentication.k8s.io/v1', 'TokenRequest'] },
  },
  {
    name: 'autoscalers',
    collection: '/apis/autoscaling/v1/namespaces/$ns/horizontalpodautoscalers',
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    content: { spec: { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'd' } } },
    subresources: { status: ['autoscaling/v1', 'HorizontalPodAutoscaler'] },
  },
  {
    name: 'definitions',
    collection: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    object: `gadgets.${customGroup}`,
    content: {
      spec: {
        group: customGroup,
        scope: 'Cluster',
        names: { plural: 'gadgets', kind: 'Gadget' },
        versions: [
          { name: 'v1', served: false, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    },
    subresources: { status: ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'] },
  },
  {
    name: 'api-services',
    collection: '/apis/apiregistration.k8s.io/v1/apiservices',
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    object: `v1.${customGroup}`,
    content: {
      spec: {
        group: customGroup,
        version: 'v1',
        groupPriorityMinimum: 1,
        versionPriority: 1,
        service: { namespace: 'a', name: 'b' },
        insecureSkipTLSVerify: true,
      },
    },
    subresources: { status: ['apiregistration.k8s.io/v1', 'APIService'] },
  },
  {
    name: 'widgets',
    collection: widgets,
    apiVersion: `${customGroup}/v1`,
    kind: 'Widget',
    content: { spec: { replicas: 1 } },
    before: defined(),
    cleanup: [withoutDefinition],
    // The original drops what an unknown version doesn't describe, and reads null as a value.
    skips: ['unknownVersion', 'ownGroupSlash', 'nullVersion', 'nullBoth'],
  },
];

/** What a body may say of its type, given what it should say. */
const types: Readonly<Record<string, (apiVersion: string, kind: string) => Json>> = {
  none: () => ({}),
  noKind: (apiVersion) => ({ apiVersion }),
  noVersion: (_, kind) => ({ kind }),
  empty: () => ({ apiVersion: '', kind: '' }),
  otherKind: (apiVersion) => ({ apiVersion, kind: 'Secret' }),
  otherGroup: (_, kind) => ({ apiVersion: 'batch/v1', kind }),
  otherType: () => ({ apiVersion: 'batch/v1', kind: 'Job' }),
  unknownKind: (apiVersion) => ({ apiVersion, kind: 'Nosuch' }),
  unknownGroup: (_, kind) => ({ apiVersion: 'nosuch.io/v1', kind }),
  unknownVersion: (apiVersion, kind) => ({ apiVersion: apiVersion.replace(/v1$/, 'v9'), kind }),
  lowerKind: (apiVersion, kind) => ({ apiVersion, kind: kind.toLowerCase() }),
  list: () => ({ apiVersion: 'v1', kind: 'List', items: [] }),
  ownList: (apiVersion, kind) => ({ apiVersion, kind: `${kind}List`, items: [] }),
  status: () => ({ apiVersion: 'v1', kind: 'Status', status: 'Success' }),
  deleteOptions: () => ({ apiVersion: 'v1', kind: 'DeleteOptions' }),
  ownDeleteOptions: (apiVersion) => ({ apiVersion, kind: 'DeleteOptions' }),
  createOptions: () => ({ apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions' }),
  watchEvent: () => ({ apiVersion: 'v1', kind: 'WatchEvent', type: 'ADDED', object: {} }),
  partial: () => ({ apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' }),
  table: () => ({ apiVersion: 'meta.k8s.io/v1', kind: 'Table', rows: [] }),
  slashes: (_, kind) => ({ apiVersion: 'a/b/c', kind }),
  leadingSlash: (_, kind) => ({ apiVersion: '/v1', kind }),
  trailingSlash: (_, kind) => ({ apiVersion: 'v1/', kind }),
  ownGroupSlash: (apiVersion, kind) => ({
    apiVersion: apiVersion.includes('/') ? apiVersion.replace(/[^/]*$/, '') : '/',
    kind,
  }),
  ofExtensions: () => ({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }),
  ofAggregator: () => ({ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService' }),
  ofWebhooks: () => ({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' }),
  otherInternal: () => ({ apiVersion: 'apps/__internal', kind: 'DaemonSet' }),
  metaBeta: () => ({ apiVersion: 'meta.k8s.io/v1beta1', kind: 'PartialObjectMetadataList' }),
  apiGroup: () => ({ apiVersion: 'no/such', kind: 'APIGroup', name: 'g' }),
  internal: () => ({ apiVersion: '__internal', kind: 'Nosuch' }),
  numberKind: (apiVersion) => ({ apiVersion, kind: 5 }),
  numberVersion: (_, kind) => ({ apiVersion: 1, kind }),
  nullVersion: (_, kind) => ({ apiVersion: null, kind }),
  nullBoth: () => ({ apiVersion: null, kind: null }),
  nullKind: (apiVersion) => ({ apiVersion, kind: null }),
  objectKind: (apiVersion) => ({ apiVersion, kind: {} }),
};

/** Bodies that are no objects. */
const texts = ['', 'null', '[]', '""', '5', 'true', '{', '{}', ' ', '[{}]', '"text"', '{"kind":'] as const;

const objectCase = ({
  name,
  collection,
  apiVersion,
  kind,
  content,
  object = 'one',
  skips = [],
  before = [],
  cleanup = [],
}: Target): DifferentialCase => {
  const made = { apiVersion, kind, metadata: { name: object }, ...content };
  // Others have objects there, too, and they take their time to go.
  const isShared = object !== 'one';
  const one = `${collection}/${object}`;
  // Options in a body are the only ones that count, so that these may delete.
  const withOptions = (body: unknown, more: Partial<Step> = {}): Step[] => [
    ask(`DELETE ${one}`, body, more),
    ask(`POST ${collection}`, made),
    ask(`DELETE ${collection}`, body, more),
    ask(`POST ${collection}`, made),
  ];
  return {
    name: `${name}-objects`,
    steps: [
      ...before,
      ask(`POST ${collection}`, made),
      ...Object.entries(types).flatMap(([called, typeOf]) => {
        if (skips.includes(called)) return [];
        const type = typeOf(apiVersion, kind);
        const { apiVersion: _, kind: __, ...untyped } = made;
        const body = { ...type, ...untyped };
        return [
          ask(`POST ${collection}?dryRun=All`, { ...body, metadata: { name: 'two' } }),
          ask(`PUT ${one}?dryRun=All`, body),
          ask(`PUT ${collection}/nosuch?dryRun=All`, { ...body, metadata: { name: 'nosuch' } }),
          ask(`PATCH ${one}?dryRun=All&fieldManager=a`, body, applyPatch),
          ask(
            `PATCH ${collection}/two?dryRun=All&fieldManager=a`,
            { ...body, metadata: { name: 'two' } },
            applyPatch,
          ),
          ask(`PATCH ${one}?dryRun=All`, type, mergePatch),
          ask(`PATCH ${one}?dryRun=All`, type, strategicPatch),
          ask(
            `PATCH ${one}?dryRun=All`,
            Object.entries(type).map(([key, value]) => ({ op: 'add', path: `/${key}`, value })),
            jsonPatch,
          ),
          ...(isShared ? [] : withOptions(type)),
          ask(`DELETE ${one}`, { ...type, gracePeriodSeconds: 'x' }),
          ask(`DELETE ${one}`, { ...type, dryRun: ['All'], nosuch: 1 }),
        ];
      }),
      // A definition of nothing is told of its versions, which are null or empty.
      ...texts.flatMap((text) => [
        ...(isShared ? [] : [ask(`POST ${collection}?dryRun=All`, text)]),
        ask(`PUT ${one}?dryRun=All`, text),
        ask(`PATCH ${one}?dryRun=All&fieldManager=a`, text, applyPatch),
        ask(`PATCH ${one}?dryRun=All`, text, mergePatch),
        ask(`PATCH ${one}?dryRun=All`, text, strategicPatch),
        ask(`PATCH ${one}?dryRun=All`, text, jsonPatch),
        ...(isShared ? [] : withOptions(text)),
        ...(isShared ? [] : [ask(`POST ${collection}?dryRun=All`, text, { type: 'application/yaml' })]),
        ask(`PUT ${one}?dryRun=All`, text, { type: 'application/yaml' }),
        ...(isShared ? [] : withOptions(text, { type: 'application/yaml' })),
      ]),
    ],
    cleanup,
  };
};

const subresourceCases = ({
  name,
  collection,
  apiVersion,
  kind,
  content,
  object = 'one',
  skips = [],
  subresources = {},
  before = [],
  cleanup = [],
}: Target) =>
  Object.entries(subresources).map(([subresource, [ownVersion, ownKind]]): DifferentialCase => {
    const made = { apiVersion, kind, metadata: { name: object }, ...content };
    const path = `${collection}/${object}/${subresource}`;
    const spec = subresource === 'binding' ? { target: { name: 'n' } } : (content ?? {});
    return {
      name: `${name}-${subresource}`,
      steps: [
        ...before,
        ask(`POST ${collection}`, made),
        ...Object.entries(types).flatMap(([called, typeOf]) => {
          if (skips.includes(called)) return [];
          const type = typeOf(ownVersion, ownKind);
          const body = { ...type, metadata: { name: object }, ...spec };
          return [
            ask(`POST ${path}?dryRun=All`, body),
            ask(`PUT ${path}?dryRun=All`, body),
            ask(`PUT ${path}?dryRun=All`, { ...body, ...typeOf(apiVersion, kind) }),
            ask(`PATCH ${path}?dryRun=All&fieldManager=a`, body, applyPatch),
            ask(`PATCH ${path}?dryRun=All`, type, mergePatch),
            ask(`PATCH ${path}?dryRun=All`, type, strategicPatch),
          ];
        }),
        ...texts.flatMap((text) => [
          ask(`POST ${path}?dryRun=All`, text),
          ask(`PUT ${path}?dryRun=All`, text),
          ask(`PATCH ${path}?dryRun=All&fieldManager=a`, text, applyPatch),
          ask(`PATCH ${path}?dryRun=All`, text, mergePatch),
        ]),
      ],
      cleanup,
    };
  });

/** Objects that are only asked about. */
const reviews = [
  ['authentication.k8s.io/v1', 'TokenReview', 'tokenreviews'],
  ['authorization.k8s.io/v1', 'SubjectAccessReview', 'subjectaccessreviews'],
  ['authorization.k8s.io/v1', 'SelfSubjectAccessReview', 'selfsubjectaccessreviews'],
  ['authorization.k8s.io/v1', 'SelfSubjectRulesReview', 'selfsubjectrulesreviews'],
  ['authentication.k8s.io/v1', 'SelfSubjectReview', 'selfsubjectreviews'],
] as const;
const reviewCases = reviews.map(([apiVersion, kind, plural]): DifferentialCase => ({
  name: plural,
  cluster: true,
  steps: [
    ...Object.values(types).map((typeOf) =>
      ask(`POST /apis/${apiVersion}/${plural}`, typeOf(apiVersion, kind)),
    ),
    ...texts.map((text) => ask(`POST /apis/${apiVersion}/${plural}`, text)),
  ],
}));

export const cases: readonly DifferentialCase[] = [
  ...targets.map(objectCase),
  ...targets.flatMap(subresourceCases),
  ...reviewCases,
];
