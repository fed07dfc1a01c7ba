/** Unknown, doubled and misspelt members at every depth, in JSON and YAML, by every way of writing and validation. */
import { applyPatch, ask, jsonPatch, mergePatch, strategicPatch, type DifferentialCase } from './case.ts';
import { customGroup, defined, widgets, withoutDefinition } from './definition.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

type Json = Readonly<Record<string, unknown>>;

const deployments = '/apis/apps/v1/namespaces/$ns/deployments';
const validations = ['', '&fieldValidation=Strict', '&fieldValidation=Warn', '&fieldValidation=Ignore'];
const labels = { a: 'b' };

/** What stands at one place of a deployment instead of nothing. */
const extras: Readonly<Record<string, Json>> = {
  top: { more: 1 },
  twoTop: { more: 1, evenMore: { a: [1] } },
  metadata: { metadata: { more: 1 } },
  owners: {
    metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', more: 1 }] },
  },
  spec: { spec: { more: 1 } },
  casing: { spec: { Replicas: 2, rEplicas: 3 } },
  template: { spec: { template: { more: 1, metadata: { more: 1 } } } },
  podSpec: { spec: { template: { spec: { more: 1, nodeselector: { a: 'b' } } } } },
  container: {
    spec: { template: { spec: { containers: [{ name: 'c', image: 'i', more: 1, Image: 'x' }] } } },
  },
  twoContainers: {
    spec: {
      template: {
        spec: {
          containers: [
            { name: 'c', image: 'i', more: 1 },
            { name: 'd', image: 'i', env: [{ name: 'E', more: 1 }], ports: [{ containerPort: 1, more: 1 }] },
          ],
        },
      },
    },
  },
  affinity: {
    spec: {
      template: {
        spec: {
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ more: 1 }] },
            },
          },
        },
      },
    },
  },
  emptyNames: { spec: { '': 1, 'a.b': 2, 'a b': 3 } },
  status: { status: { more: 1, conditions: [{ type: 'A', status: 'True', more: 1 }] } },
};

const base = (name: string): Json => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const merged = (into: Json, more: Json): Json => ({
  ...into,
  ...Object.fromEntries(
    Object.entries(more).map(([key, value]) => [
      key,
      isObject(value) && isObject(into[key]) ? merged(into[key], value) : value,
    ]),
  ),
});
const asYaml = { type: 'application/yaml' };
const pick = { pick: ['message', 'reason', 'details', 'code', 'spec.replicas', '@headers.warning'] };

/** Texts with members twice, which objects can't have. */
const doubled: Readonly<Record<string, string>> = {
  top: '{"apiVersion":"apps/v1","kind":"Deployment","kind":"Deployment","metadata":{"name":"N"},"spec":SPEC}',
  name: '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"x","name":"N"},"spec":SPEC}',
  three:
    '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"N","labels":{"a":"1","a":"2","a":"3"}},"spec":SPEC}',
  spec: '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"N"},"spec":{"replicas":1},"spec":SPEC}',
  unknownTwice:
    '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"N"},"more":1,"more":2,"spec":SPEC}',
  casing: '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"N"},"Spec":{},"spec":SPEC}',
};
const spec = JSON.stringify(base('n')['spec']);
const text = (form: string, name: string) => form.replace('"N"', `"${name}"`).replace('SPEC', spec);

const yamls: Readonly<Record<string, string>> = {
  doubled: `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: N\n  name: N\nspec: SPEC\n`,
  doubledDeep: `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: N\n  labels:\n    a: b\n    a: c\n    b: d\n    b: d\nspec: SPEC\nmore: 1\n`,
  anchors: `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: N\n  labels: &l\n    a: b\n  annotations: *l\nspec: SPEC\n`,
  merge: `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: N\n  labels: &l\n    a: b\n  annotations:\n    <<: *l\n    c: d\nspec: SPEC\n`,
  twoDocuments: `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: N\nspec: SPEC\n---\nkind: x\n`,
  tab: `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n\tname: N\n`,
  numbers: `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: N\n  labels:\n    1: b\n    true: c\n    1.5: d\n    ~: e\nspec: SPEC\n`,
  bools: `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: N\n  annotations: {c: 1_000, e: !!str 1, f: "yes"}\nspec: SPEC\n`,
  empty: ``,
  comment: `# nothing\n`,
  list: `- a\n`,
  text: `just text\n`,
  tag: `!!map {apiVersion: apps/v1, kind: Deployment, metadata: {name: N}, spec: SPEC}\n`,
  binary: `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: N, annotations: {a: !!binary YQ==}}\nspec: SPEC\n`,
  date: `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: N, annotations: {a: 2026-01-02}}\nspec: SPEC\n`,
};

const one = `${deployments}/o?dryRun=All`;
/** Of several unknown members an apply tells those that the original happens to see first. */
const appliedExtras = ['top', 'metadata', 'owners', 'spec'];

const typed = (name: string, extra: Json): readonly Step[] =>
  validations.flatMap((validation) => [
    ask(`POST ${deployments}?dryRun=All${validation}`, merged(base('n'), extra), pick),
    ask(`PUT ${one}${validation}`, merged(base('o'), extra), pick),
    ask(`PATCH ${one}${validation}`, extra, { ...mergePatch, ...pick }),
    ask(`PATCH ${one}${validation}`, extra, { ...strategicPatch, ...pick }),
    ask(
      `PATCH ${one}${validation}`,
      Object.entries(extra).map(([key, value]) => ({
        op: 'add',
        path: `/${key}`,
        value:
          key === 'status' || key === 'more' || key === 'evenMore'
            ? value
            : merged(base('o')[key] as Json, value as Json),
      })),
      { ...jsonPatch, ...pick },
    ),
    ...(appliedExtras.includes(name)
      ? [
          ask(`PATCH ${one}${validation}&fieldManager=a`, merged(base('o'), extra), {
            ...applyPatch,
            ...pick,
          }),
        ]
      : []),
    ask(`PUT ${deployments}/o/status?dryRun=All${validation}`, merged(base('o'), extra), pick),
  ]);

const texts: readonly Step[] = validations.flatMap((validation) => [
  ...Object.values(doubled).flatMap((form) => [
    ask(`POST ${deployments}?dryRun=All${validation}`, text(form, 'n'), pick),
    ask(`PUT ${one}${validation}`, text(form, 'o'), pick),
    ask(`PATCH ${one}${validation}`, text(form, 'o'), { ...mergePatch, ...pick }),
    ask(`PATCH ${one}${validation}`, text(form, 'o'), { ...strategicPatch, ...pick }),
    ask(`PATCH ${one}${validation}&fieldManager=a`, text(form, 'o'), { ...applyPatch, ...pick }),
  ]),
  ...Object.values(yamls).flatMap((form) => {
    const named = (name: string) => form.replaceAll('name: N', `name: ${name}`).replace('SPEC', spec);
    return [
      ask(`POST ${deployments}?dryRun=All${validation}`, named('n'), { ...asYaml, ...pick }),
      ask(`PUT ${one}${validation}`, named('o'), { ...asYaml, ...pick }),
      ask(`PATCH ${one}${validation}&fieldManager=a`, named('o'), { ...applyPatch, ...pick }),
    ];
  }),
]);

const property = (type: string, more: Json = {}) => ({ type, ...more });
const schema = property('object', {
  properties: {
    spec: property('object', {
      properties: {
        replicas: property('integer'),
        list: property('array', { items: property('object', { properties: { name: property('string') } }) }),
        map: property('object', {
          additionalProperties: property('object', { properties: { a: property('string') } }),
        }),
        open: property('object', {
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { known: property('object', { properties: { a: property('string') } }) },
        }),
        embedded: property('object', {
          'x-kubernetes-embedded-resource': true,
          properties: { spec: property('object') },
        }),
        openEmbedded: property('object', {
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        }),
      },
    }),
  },
});
/** The first four have one unknown member, which is what an apply can be asked about. */
const customExtras: readonly Json[] = [
  { more: 1 },
  { spec: { open: { any: 1, known: { a: 'b', more: 1 } } } },
  { spec: { embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', more: 1 }, spec: { a: 1 } } } },
  { metadata: { more: 1, labels: { a: 'b' } } },
  { spec: { more: 1, list: [{ name: 'a', more: 1 }, { more: 2 }] } },
  { spec: { map: { x: { a: 'b', more: 1 }, y: { more: 1 } } } },
  {
    spec: {
      openEmbedded: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'x', more: 1, labels: { a: 1 } },
        spec: { a: 1 },
      },
    },
  },
  { metadata: { labels: { a: 1 } } },
  { spec: { replicas: '1', list: {} } },
];
const widget = (name: string): Json => ({
  apiVersion: `${customGroup}/v1`,
  kind: 'Widget',
  metadata: { name },
  spec: { replicas: 1 },
});
const custom: DifferentialCase = {
  name: 'widgets',
  steps: [
    ...defined([{ name: 'v1', schema: { openAPIV3Schema: schema } }]),
    ask(`POST ${widgets}`, widget('o'), { quiet: true }),
    ...customExtras.flatMap((extra, at) => {
      const isOne = at < 4;
      return validations.flatMap((validation) => [
        ask(`POST ${widgets}?dryRun=All${validation}`, merged(widget('n'), extra)),
        ask(`PUT ${widgets}/o?dryRun=All${validation}`, merged(widget('o'), extra)),
        ask(`PATCH ${widgets}/o?dryRun=All${validation}`, extra, mergePatch),
        ...(isOne
          ? [
              ask(
                `PATCH ${widgets}/o?dryRun=All${validation}&fieldManager=a`,
                merged(widget('o'), extra),
                applyPatch,
              ),
            ]
          : []),
      ]);
    }),
  ],
  cleanup: [withoutDefinition],
};

export const cases: readonly DifferentialCase[] = [
  ...Object.entries(extras).map(([name, extra]) => ({
    name,
    steps: [ask(`POST ${deployments}`, base('o'), { quiet: true }), ...typed(name, extra)],
  })),
  { name: 'texts', steps: [ask(`POST ${deployments}`, base('o'), { quiet: true }), ...texts] },
  custom,
];
