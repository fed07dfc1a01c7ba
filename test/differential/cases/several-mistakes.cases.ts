/** Several unknown, repeated and mistyped members in one body, by strictness, verb and type of content. */
import { seededRandom } from '@coxswain/apimachinery';
import { Choices } from '../cluster/choices.ts';
import { ask, jsonPatch, mergePatch, strategicPatch, type DifferentialCase } from './case.ts';
import { customGroup, defined, widgets, withoutDefinition } from './definition.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

type Json = Readonly<Record<string, unknown>>;

interface Target {
  readonly name: string;
  readonly collection: string;
  readonly body: Json;
  readonly before?: readonly Step[];
  readonly cleanup?: readonly Step[];
  readonly isCustom?: boolean;
}

const bodiesPerTarget = 6;
const core = '/api/v1/namespaces/$ns';
const labels = { a: 'b' };
const container = {
  name: 'c',
  image: 'i',
  env: [{ name: 'A', value: 'b' }, { name: 'B' }],
  ports: [{ containerPort: 80, name: 'web' }],
  resources: { requests: { cpu: '1' } },
};
const template = { metadata: { labels }, spec: { containers: [container], nodeSelector: { x: 'y' } } };

const targets: readonly Target[] = [
  { name: 'pods', collection: `${core}/pods`, body: { apiVersion: 'v1', kind: 'Pod', spec: template.spec } },
  {
    name: 'deployments',
    collection: '/apis/apps/v1/namespaces/$ns/deployments',
    body: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      spec: { replicas: 1, selector: { matchLabels: labels }, template, strategy: { type: 'Recreate' } },
    },
  },
  {
    name: 'services',
    collection: `${core}/services`,
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      spec: {
        clusterIP: 'None',
        selector: labels,
        ports: [
          { port: 80, targetPort: 'web' },
          { port: 81, name: 'b' },
        ],
      },
    },
  },
  {
    name: 'widgets',
    collection: widgets,
    body: {
      apiVersion: `${customGroup}/v1`,
      kind: 'Widget',
      spec: { size: 1, parts: [{ name: 'a', weight: 2 }], labels: { a: 'b' } },
    },
    isCustom: true,
    before: defined([
      {
        name: 'v1',
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer' },
                  labels: { type: 'object', additionalProperties: { type: 'string' } },
                  parts: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: { name: { type: 'string' }, weight: { type: 'number' } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ]),
    cleanup: [withoutDefinition],
  },
];

/** JSON text with mistakes: what is repeated cannot be said by an object. */
function mistaken(choose: Choices, value: unknown, share: number): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => mistaken(choose, item, share));
    return `[${(choose.chance(share / 4) ? [...items, choose.one(['null', '1', '"x"'])] : items).join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) {
    if (!choose.chance(share / 5)) return JSON.stringify(value);
    return choose.one(['null', '1', '"x"', 'true', '[]', '{}', '1.5', '""']);
  }
  const members = Object.entries(value).flatMap(([key, child]) => {
    const text = `${JSON.stringify(key)}:${mistaken(choose, child, share)}`;
    if (key === 'apiVersion' || key === 'kind' || !choose.chance(share)) return [text];
    return choose.one([
      () => [text, text],
      () => [text, `${JSON.stringify(key)}:${JSON.stringify(child)}`],
      () => [`${JSON.stringify(key[0]!.toUpperCase() + key.slice(1))}:${JSON.stringify(child)}`],
      () => [text, `${JSON.stringify(key.toUpperCase())}:${JSON.stringify(child)}`],
      () => [text, text, text],
    ])();
  });
  const unknown = choose.chance(share)
    ? choose.times(
        1,
        2,
        () => `"${choose.one(['bogus', 'other', 'a.b'])}":${choose.one(['1', '"x"', '{"y":1}', 'null'])}`,
      )
    : [];
  return `{${[...members, ...unknown].join(',')}}`;
}

export const cases: readonly DifferentialCase[] = targets.map((target, at): DifferentialCase => {
  const { name, collection, body, before = [], cleanup = [], isCustom = false } = target;
  const choose = new Choices(seededRandom(at + 21));
  const one = `${collection}/o`;
  const named = { ...body, metadata: { name: 'o', labels: { l: 'm' } } };
  const brief = { ignore: ['metadata.managedFields'] };
  const questions = Array.from({ length: bodiesPerTarget }, () => {
    const text = mistaken(choose, named, choose.one([0.1, 0.2, 0.3]));
    const operations = JSON.stringify([
      { op: 'replace', path: '/metadata/labels/l', value: 'n', odd: 1 },
    ]).slice(0, -1);
    const spec = mistaken(choose, body['spec'], 0.2);
    return ['Strict', 'Warn', 'Ignore', ''].flatMap((strictness) => {
      const query = `dryRun=All&fieldManager=m${strictness && `&fieldValidation=${strictness}`}`;
      return [
        ask(`POST ${collection}?${query}`, text.replace('"name":"o"', '"name":"p"'), brief),
        ask(`POST ${collection}?${query}`, text.replace('"name":"o"', '"name":"p"'), {
          type: 'application/yaml',
          ...brief,
        }),
        ask(`PUT ${one}?${query}`, text, brief),
        ask(`PATCH ${one}?${query}`, text, { ...mergePatch, ...brief }),
        ...(isCustom ? [] : [ask(`PATCH ${one}?${query}`, text, { ...strategicPatch, ...brief })]),

        ask(`PATCH ${one}?${query}`, `${operations},{"op":"replace","path":"/spec","value":${spec}}]`, {
          ...jsonPatch,
          ...brief,
        }),
      ];
    });
  }).flat();
  return { name, steps: [...before, ask(`POST ${collection}`, named, brief), ...questions], cleanup };
});
