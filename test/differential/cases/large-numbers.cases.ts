/** Numbers that a double can't hold, wherever an object keeps JSON of others, by every way of writing. */
import { applyPatch, ask, jsonPatch, mergePatch, strategicPatch, type DifferentialCase } from './case.ts';
import { customGroup } from './definition.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const numbers = [
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '18446744073709551616',
  '1E5',
  '2.0',
  '-0',
  '-0.0',
  '0.10',
  '1e-7',
  '1e21',
  '123456789012345678901234567890',
  '0.1234567890123456789',
  '5e-200',
  '12345678.9',
  '100000000000000000000.5',
];

const digits: Partial<Step> = { digits: true };

interface Place {
  readonly name: string;
  readonly collection: string;
  /** The object as text, with JSON at the place. */
  readonly object: (name: string, json: string) => string;
  /** Where it stands, as members and as a pointer. */
  readonly at: readonly string[];
  readonly before?: readonly Step[];
  readonly cleanup?: readonly Step[];
  readonly isCustom?: boolean;
  readonly isRaw?: boolean;
}

/** No double holds it; the original breaks off where it keeps JSON as it is. */
const tooLarge = '1e4000';

const group = `numbers.${customGroup}`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const definition = {
  metadata: { name: `dials.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'dials', kind: 'Dial' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              any: { 'x-kubernetes-preserve-unknown-fields': true },
              embedded: {
                type: 'object',
                'x-kubernetes-embedded-resource': true,
                'x-kubernetes-preserve-unknown-fields': true,
              },
              either: { 'x-kubernetes-int-or-string': true },
              whole: { type: 'integer' },
              real: { type: 'number' },
            },
          },
        },
      },
    ],
  },
};
const defined: readonly Step[] = [
  ask(`POST ${definitions}`, definition, { quiet: true }),
  ask(
    `POST /apis/${group}/v1/namespaces/$ns/dials`,
    { apiVersion: `${group}/v1`, kind: 'Dial', metadata: { name: 'first' } },
    { quiet: true, retry: { until: '@status==201' } },
  ),
];
const dials = (name: string, at: readonly string[], embed: (json: string) => string): Place => ({
  name,
  collection: `/apis/${group}/v1/namespaces/$ns/dials`,
  object: (called, json) =>
    `{"apiVersion":"${group}/v1","kind":"Dial","metadata":{"name":"${called}"},${embed(json)}}`,
  at,
  before: defined,
  isCustom: true,
});

const places: readonly Place[] = [
  {
    name: 'revision-data',
    collection: '/apis/apps/v1/namespaces/$ns/controllerrevisions',
    object: (name, json) =>
      `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"${name}"},"revision":1,"data":{"spec":{"a":${json},"l":[${json}]}}}`,
    at: ['data', 'spec', 'a'],
    isRaw: true,
  },
  {
    name: 'revision',
    collection: '/apis/apps/v1/namespaces/$ns/controllerrevisions',
    object: (name, json) =>
      `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"${name}"},"revision":${json}}`,
    at: ['revision'],
  },
  {
    name: 'device-parameters',
    collection: '/apis/resource.k8s.io/v1/namespaces/$ns/resourceclaims',
    object: (name, json) =>
      `{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"${name}"},"spec":{"devices":{"config":[{"opaque":{"driver":"d.example.com","parameters":{"a":${json}}}}]}}}`,
    at: ['spec', 'devices', 'config', '0', 'opaque', 'parameters', 'a'],
    isRaw: true,
  },
  {
    name: 'deadline',
    collection: '/apis/batch/v1/namespaces/$ns/jobs',
    object: (name, json) =>
      `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"${name}"},"spec":{"suspend":true,"activeDeadlineSeconds":${json},"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}`,
    at: ['spec', 'activeDeadlineSeconds'],
  },
  dials('any', ['any', 'a'], (json) => `"any":{"a":${json},"l":[${json}]}`),
  dials('whole', ['whole'], (json) => `"whole":${json}`),
  dials('real', ['real'], (json) => `"real":${json}`),
  dials('either', ['either'], (json) => `"either":${json}`),
  dials(
    'embedded',
    ['embedded', 'data', 'a'],
    (json) => `"embedded":{"apiVersion":"v1","kind":"X","metadata":{"name":"n"},"data":{"a":${json}}}`,
  ),
];

function stepsAt({ collection, object, at, isCustom = false }: Place, json: string, name: string): Step[] {
  const one = `${collection}/${name}`;
  const pointer = at.map((key) => `/${key}`).join('');
  const merged = at.some((key) => /^\d+$/.test(key))
    ? undefined
    : at.reduceRight((inner, key) => `{"${key}":${inner}}`, json);
  const operation = (more: string) => `[${more}]`;
  return [
    ask(`POST ${collection}?fieldManager=c`, object(name, '1'), digits),
    ask(`POST ${collection}?dryRun=All&fieldManager=c`, object(`${name}x`, json), digits),
    ask(`PUT ${one}?dryRun=All&fieldManager=u`, object(name, json), digits),
    ask(
      `PATCH ${one}?dryRun=All&fieldManager=j`,
      operation(`{"op":"replace","path":"${pointer}","value":${json}}`),
      { ...jsonPatch, ...digits },
    ),
    ask(
      `PATCH ${one}?dryRun=All&fieldManager=j`,
      operation(`{"op":"test","path":"${pointer}","value":${json}}`),
      { ...jsonPatch, ...digits },
    ),
    ...(merged === undefined
      ? []
      : [
          ask(`PATCH ${one}?dryRun=All&fieldManager=m`, merged, { ...mergePatch, ...digits }),
          ...(isCustom
            ? []
            : [ask(`PATCH ${one}?dryRun=All&fieldManager=s`, merged, { ...strategicPatch, ...digits })]),
        ]),
    ask(`PATCH ${one}?dryRun=All&fieldManager=a&force=true`, object(name, json), {
      ...applyPatch,
      ...digits,
    }),
    ask(`PATCH ${collection}/${name}y?fieldManager=a`, object(`${name}y`, json), {
      ...applyPatch,
      ...digits,
    }),
    // What is stored in full stays in full when something else is changed.
    ask(
      `PATCH ${collection}/${name}y?fieldManager=m`,
      { metadata: { labels: { a: 'b' } } },
      { ...mergePatch, ...digits },
    ),
    ask(
      `PATCH ${collection}/${name}y?fieldManager=j`,
      operation(`{"op":"add","path":"/metadata/annotations","value":{"c":"d"}}`),
      { ...jsonPatch, ...digits },
    ),
    ask(
      `PATCH ${collection}/${name}y?fieldManager=j`,
      operation(`{"op":"test","path":"${pointer}","value":${json}}`),
      { ...jsonPatch, ...digits },
    ),
    ask(
      `PATCH ${collection}/${name}y?fieldManager=j`,
      operation(`{"op":"copy","from":"${pointer}","path":"/metadata/labels/x"}`),
      { ...jsonPatch, ...digits },
    ),
    ask(`GET ${collection}/${name}y`, undefined, digits),
    ask(`GET ${collection}/${name}y`, undefined, { accept: 'application/yaml' }),
  ];
}

export const cases: readonly DifferentialCase[] = places.map((place) => ({
  name: place.name,
  serial: true,
  steps: [
    ...(place.before ?? []),
    ...[...numbers, ...(place.isRaw ? [] : [tooLarge])].flatMap((json, at) => stepsAt(place, json, `n${at}`)),
    ask(`GET ${place.collection}`, undefined, digits),
  ],
  ...(place.before && { cleanup: [ask(`DELETE ${definitions}/dials.${group}`)] }),
}));
