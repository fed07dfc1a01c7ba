/** Objects that are created under a prefix: what it may be, by kind, and what messages call them. */
import { baseObjects, mostDiverse } from '../base-objects.ts';
import { applyPatch, ask, type DifferentialCase } from './case.ts';
import { customGroup, defined, widgets, withoutDefinition } from './definition.ts';

type Json = Readonly<Record<string, unknown>>;

const prefixes: readonly unknown[] = [
  'a-',
  'a',
  'A-',
  'a_',
  'a.',
  '-a',
  'a--',
  '',
  ' ',
  'é',
  'a/b',
  'a'.repeat(57),
  'a'.repeat(58),
  'a'.repeat(59),
  'a'.repeat(63),
  'a'.repeat(253),
  `${'a'.repeat(57)}-`,
  `${'a'.repeat(56)}.-`,
  'a:b',
  1,
  null,
];

const isCollection = /^\/api(s\/[a-z0-9.]+)?\/v\d+(\/namespaces\/\$ns)?\/[a-z]+$/;
const unsteady = /\/(customresourcedefinitions|bindings|componentstatuses|[a-z]+reviews)$/;
const brief = {
  pick: [
    'metadata.generateName',
    'kind',
    'reason',
    'code',
    'details.kind',
    'details.group',
    'details.causes.*.field',
    'details.causes.*.reason',
  ],
};

const withMeta = (body: Json, metadata: Json): Json => ({ ...body, metadata });

function prefixed(name: string, collection: string, body: Json): DifferentialCase {
  const { name: _name, generateName: _prefix, namespace: _ns, ...rest } = (body['metadata'] ?? {}) as Json;
  return {
    name,
    steps: [
      ...prefixes.flatMap((generateName) => [
        ask(`POST ${collection}?dryRun=All`, withMeta(body, { ...rest, generateName }), brief),
        ask(`POST ${collection}?dryRun=All`, withMeta(body, { ...rest, generateName, name: 'given' }), brief),
      ]),
      ask(`POST ${collection}?dryRun=All`, withMeta(body, { ...rest, generateName: 'a-', name: '' }), brief),
      ask(`POST ${collection}?dryRun=All`, withMeta(body, rest), brief),
      ask(`PUT ${collection}/x?dryRun=All`, withMeta(body, { ...rest, generateName: 'a-' }), brief),
      ask(
        `PATCH ${collection}/x?dryRun=All&fieldManager=m`,
        withMeta(body, { ...rest, generateName: 'a-' }),
        {
          ...applyPatch,
          ...brief,
        },
      ),
      ask(
        `PATCH ${collection}/x?dryRun=All&fieldManager=m`,
        withMeta(body, { ...rest, generateName: 'a-', name: 'x' }),
        {
          ...applyPatch,
          ...brief,
        },
      ),
    ],
  };
}

export const cases: readonly DifferentialCase[] = [
  ...[...Map.groupBy(baseObjects(undefined), ({ collection }) => collection)].flatMap(
    ([collection, bases]) => {
      if (!isCollection.test(collection) || unsteady.test(collection)) return [];
      const [base] = [...mostDiverse(bases)].toSorted(
        (a, b) => JSON.stringify(a).length - JSON.stringify(b).length,
      );
      return base === undefined
        ? []
        : [prefixed(collection.replace(/^\/apis?\//, ''), collection, base.body)];
    },
  ),
  prefixed('widgets', widgets, { apiVersion: `${customGroup}/v1`, kind: 'Widget' }),
].map((one) =>
  one.name === 'widgets'
    ? { ...one, steps: [...defined(), ...one.steps], cleanup: [withoutDefinition] }
    : one,
);
