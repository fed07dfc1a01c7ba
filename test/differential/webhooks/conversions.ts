/** Custom resources that scripted webhooks convert, well and badly, and what is asked of them. */
import type { Question } from './cases.ts';
import type { Answer } from './hook-server.ts';
import { raw } from './answers.ts';

interface CustomObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly size?: number;
  readonly replicas?: number;
}

interface ConversionReview {
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly CustomObject[];
  };
}

/** v1 has a size where v2 has replicas. */
function converted({ request }: ConversionReview): readonly object[] {
  const apiVersion = request.desiredAPIVersion;
  const name = apiVersion.endsWith('v2') ? 'replicas' : 'size';
  return request.objects.map(({ size, replicas, ...rest }) => {
    const amount = size ?? replicas;
    return { ...rest, apiVersion, ...(amount !== undefined && { [name]: amount }) };
  });
}

type Change = (objects: readonly object[], review: ConversionReview) => object;

const answering = (change: Change): Answer =>
  raw((given) => {
    const review = given as unknown as ConversionReview;
    const { apiVersion, request } = review;
    const response = { uid: request.uid, result: { status: 'Success' } };
    const changed = change(converted(review), review) as { readonly around?: object };
    const { around = {}, ...members } = changed;
    return JSON.stringify({
      apiVersion,
      kind: 'ConversionReview',
      response: { ...response, ...members },
      ...around,
    });
  });

const objects = (change: (object: object) => unknown): Answer =>
  answering((all) => ({ convertedObjects: all.map(change) }));

const metadata = (change: (metadata: Readonly<Record<string, unknown>>) => unknown): Answer =>
  objects((object) => {
    const { metadata: given, ...rest } = object as CustomObject;
    const made = change(given);
    return made === undefined ? rest : { ...rest, metadata: made };
  });

const result = (status: object): Answer => answering((all) => ({ convertedObjects: all, result: status }));

export const conversionAnswers: Readonly<Record<string, Answer>> = {
  'c-works': answering((all) => ({ convertedObjects: all })),
  'c-fails': result({ status: 'Failure', message: 'cannot' }),
  'c-fails-silently': result({ status: 'Failure' }),
  'c-no-status': result({}),
  'c-null-result': result(null as never),
  'c-no-objects': answering(() => ({})),
  'c-null-objects': answering(() => ({ convertedObjects: null })),
  'c-too-few': answering(() => ({ convertedObjects: [] })),
  'c-too-many': answering((all) => ({ convertedObjects: [...all, ...all] })),
  'c-null-object': objects(() => null),
  'c-text-object': objects(() => 'x'),
  'c-empty-object': objects(() => ({})),
  'c-same-version': answering((_, { request }) => ({ convertedObjects: request.objects })),
  'c-no-version': objects((object) => ({ ...object, apiVersion: undefined })),
  'c-other-group': objects((object) => ({ ...object, apiVersion: 'other.test/v1' })),
  'c-other-kind': objects((object) => ({ ...object, kind: 'Gadget' })),
  'c-no-kind': objects((object) => ({ ...object, kind: undefined })),
  'c-unknown-fields': objects((object) => ({ ...object, colour: 'red', size: 1, replicas: 2 })),
  'c-wrong-type': objects((object) => ({ ...object, replicas: 'many', size: 'large' })),
  'c-renames': metadata((given) => ({ ...given, name: 'other' })),
  'c-moves': metadata((given) => ({ ...given, namespace: 'other' })),
  'c-uid': metadata((given) => ({ ...given, uid: 'other' })),
  'c-no-name': metadata((given) => ({ ...given, name: undefined })),
  'c-labels': metadata((given) => ({ ...given, labels: { by: 'hook' } })),
  'c-labels-null': metadata((given) => ({ ...given, labels: null })),
  'c-labels-none': metadata((given) => ({ ...given, labels: undefined, annotations: undefined })),
  'c-labels-bad': metadata((given) => ({ ...given, labels: { 'bad key': 'x', ok: 'bad value!' } })),
  'c-labels-number': metadata((given) => ({ ...given, labels: { a: 1 } })),
  'c-labels-list': metadata((given) => ({ ...given, labels: [] })),
  'c-annotations': metadata((given) => ({ ...given, annotations: { by: 'hook' } })),
  'c-annotations-bad': metadata((given) => ({ ...given, annotations: { 'bad key': 'x' } })),
  'c-annotations-null': metadata((given) => ({ ...given, annotations: { a: null } })),
  'c-finalizers': metadata((given) => ({ ...given, finalizers: ['a.b/c'], generation: 99 })),
  'c-no-metadata': metadata(() => undefined),
  'c-null-metadata': metadata(() => null),
  'c-text-metadata': metadata(() => 'x'),
  'c-version': metadata((given) => ({ ...given, resourceVersion: '77' })),
  'c-wrong-uid': answering((all) => ({ convertedObjects: all, uid: 'other' })),
  'c-other-review': answering((all) => ({ convertedObjects: all, around: { kind: 'AdmissionReview' } })),
  'c-old-review': answering((all) => ({
    convertedObjects: all,
    around: { apiVersion: 'apiextensions.k8s.io/v1beta1' },
  })),
  'c-kindless-review': answering((all) => ({ convertedObjects: all, around: { kind: undefined } })),
  'c-no-response': answering(() => ({ around: { response: undefined } })),
  'c-not-json': raw('nothing to say'),
  'c-empty': raw(''),
  'c-500': raw('oops', 500),
  'c-404-text': raw('gone away', 404, { 'content-type': 'text/plain' }),
};

/** All of them are tried with reviews of v1, some with the older ones. */
const older = ['c-works', 'c-wrong-uid', 'c-kindless-review', 'c-fails'];

const tried: readonly (readonly [name: string, group: string, reviews: readonly string[]])[] = [
  ...Object.keys(conversionAnswers).map((name) => [name, `${name}.hooks.test`, ['v1']] as const),
  ...older.map((name) => [name, `${name}-old.hooks.test`, ['v9', 'v1beta1', 'v1']] as const),
];

/** Each takes a second. */
const watched = ['c-works', 'c-labels', 'c-unknown-fields'];

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export const definitions = (
  url: string,
  ca: string,
): readonly { readonly metadata: { readonly name: string } }[] =>
  tried.map(([name, group, conversionReviewVersions]) => ({
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions,
          clientConfig: { url: `${url}/${name}`, ...(ca && { caBundle: ca }) },
        },
      },
      versions: ['v1', 'v2'].map((version, at) => ({
        name: version,
        served: true,
        storage: at === 0,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: { type: 'object', properties: propertiesOf(at === 0 ? 'size' : 'replicas') },
        },
      })),
    },
  }));

const propertiesOf = (amount: string): object => ({
  [amount]: { type: 'integer', maximum: 100 },
  tone: { type: 'string', default: 'plain' },
  status: { type: 'object', properties: { seen: { type: 'integer' } } },
});

export const conversionQuestions = (namespace: string): readonly Question[] =>
  tried.flatMap(([name, group]) => {
    const at = (version: string) => `/apis/${group}/${version}/namespaces/${namespace}/widgets`;
    const widget = (version: string, name: string, more: object) => ({
      apiVersion: `${group}/${version}`,
      kind: 'Widget',
      metadata: { name, labels: { a: 'b' }, annotations: { c: 'd' } },
      ...more,
    });
    const merge = 'application/merge-patch+json';
    const watch = ['GET', `${at('v2')}?watch=true&resourceVersion=0&timeoutSeconds=1`] as const;
    const apply = 'application/apply-patch+yaml';
    const by = (manager: string, more = '') => `?fieldManager=${manager}${more}`;
    const owned = {
      manager: 'two',
      operation: 'Apply',
      apiVersion: `${group}/v2`,
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:replicas': {} },
    };
    const shared = widget('v1', 'm', { size: 3 });
    const steps: readonly (readonly [string, string, unknown?, string?])[] = [
      ['POST', at('v1'), widget('v1', 'a', { size: 3 })],
      ['GET', `${at('v2')}/a`],
      ['GET', at('v2')],
      ['POST', at('v2'), widget('v2', 'b', { replicas: 5 })],
      ['POST', at('v2'), widget('v2', 'd', { replicas: 500 })],
      ['POST', `${at('v2')}?dryRun=All`, widget('v2', 'c', { replicas: 6 })],
      ['PATCH', `${at('v2')}/a`, { replicas: 9 }, merge],
      ['PATCH', `${at('v2')}/a/status`, { status: { seen: 1 } }, merge],
      ['PATCH', `${at('v2')}/a`, { replicas: null }, merge],
      ['GET', `${at('v1')}/a`],
      ['GET', `${at('v2')}?limit=1`],
      ...(watched.includes(name) ? [watch] : []),
      ['DELETE', `${at('v2')}/a`],
      ['DELETE', at('v2')],
      // What is stored needs no conversion here, but who owns what does.
      ['POST', at('v1'), { ...shared, metadata: { ...shared.metadata, managedFields: [owned] } }],
      ['PATCH', `${at('v1')}/m${by('one')}`, widget('v1', 'm', { size: 3 }), apply],
      ['PATCH', `${at('v1')}/m${by('one')}`, widget('v1', 'm', { size: 4 }), apply],
      ['PATCH', `${at('v1')}/m${by('one', '&force=true')}`, widget('v1', 'm', { size: 4, tone: 'x' }), apply],
      ['PATCH', `${at('v1')}/m${by('two')}`, widget('v1', 'm', { tone: 'x' }), apply],
      ['PATCH', `${at('v1')}/m/status${by('four')}`, { status: { seen: 1 } }, merge],
      ['PATCH', `${at('v1')}/m${by('three')}`, { size: 5 }, merge],
      ['GET', `${at('v1')}/m`],
      ['GET', `${at('v2')}/m`],
      ['DELETE', `${at('v1')}/m`],
    ];
    return steps.map(([method, path, body, type]) => ({
      name: `conversion ${group} ${method} ${path.slice(path.indexOf(group) + group.length)}`,
      method,
      path,
      ...(body !== undefined && { body }),
      ...(type !== undefined && { type }),
    }));
  });
