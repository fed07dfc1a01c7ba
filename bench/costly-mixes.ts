/** Requests that cost much more than their length suggests, for `heavy-tenant.ts`. */
import {
  configMaps,
  definition,
  definitions,
  dryRun,
  policies,
  policy,
  post,
  repeated,
  storedLarge,
  yaml,
  type Mix,
} from './heavy-mixes.ts';

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('');
const validation = (expression: string): object => ({
  metadata: { name: 'short' },
  spec: { ...policy.spec, validations: [{ expression }] },
});
const alternatives = {
  type: 'array',
  items: { type: 'string', anyOf: Array.from({ length: 300 }, (_, at) => ({ pattern: `^a${at}$` })) },
};
const padded = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`d${at}`, { type: 'string', default: 'y'.repeat(50) }]),
);

/** Bodies of 2 to 16 kB that cost much more than others of their length. */
const ofShortBodies: Readonly<Record<string, Mix>> = {
  'node-ports-40': repeated(
    40,
    post('/api/v1/namespaces/default/services?dryRun=All', {
      metadata: { name: 'long' },
      spec: {
        type: 'NodePort',
        ports: Array.from({ length: 300 }, (_, at) => ({ name: `p${at}`, port: at + 1 })),
      },
    }),
  ),
  'owners-40': repeated(
    40,
    post(dryRun, {
      metadata: {
        name: 'long',
        ownerReferences: Array.from({ length: 300 }, (_, at) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: `n${at}`,
          uid: `u${at}`,
        })),
      },
    }),
  ),
  'yaml-left-40': repeated(40, {
    method: 'POST',
    path: dryRun,
    type: yaml,
    body: `metadata: {name: left}\ndata:\n  text: "\n${lines(400, (at) => `line ${at}\n`)}"\n`,
  }),
  'yaml-merges-40': repeated(40, {
    method: 'POST',
    path: dryRun,
    type: yaml,
    body:
      `metadata: {name: merged}\nbase: &base\n${lines(200, (at) => `  key-${at}: v\n`)}` +
      lines(200, (at) => `copy-${at}: {<<: *base}\n`),
  }),
  'expressions-long-40': repeated(
    40,
    post(
      `${policies}/validatingadmissionpolicies?dryRun=All`,
      validation(Array.from({ length: 2_000 }, () => '1==1').join(' || ')),
    ),
  ),
  'expressions-nested-40': repeated(
    40,
    post(
      `${policies}/validatingadmissionpolicies?dryRun=All`,
      validation(Array.from({ length: 20 }, () => `${'('.repeat(200)}true${')'.repeat(200)}`).join(' && ')),
    ),
  ),
  'alternatives-40': {
    ...repeated(
      40,
      post('/apis/heavy.example/v1/namespaces/default/choices?dryRun=All', {
        apiVersion: 'heavy.example/v1',
        kind: 'Choice',
        metadata: { name: 'one' },
        items: Array.from({ length: 1_000 }, () => 'none'),
      }),
    ),
    before: [
      post(
        definitions,
        definition('choices', 'Choice', { type: 'object', properties: { items: alternatives } }),
      ),
    ],
    settleMs: 3_000,
  },
  'defaults-40': {
    ...repeated(
      40,
      post('/apis/heavy.example/v1/namespaces/default/padded?dryRun=All', {
        apiVersion: 'heavy.example/v1',
        kind: 'Padded',
        metadata: { name: 'one' },
        items: Array.from({ length: 3_000 }, () => ({})),
      }),
    ),
    before: [
      post(
        definitions,
        definition('padded', 'Padded', {
          type: 'object',
          properties: { items: { type: 'array', items: { type: 'object', properties: padded } } },
        }),
      ),
    ],
    settleMs: 3_000,
  },
};

/** One of them writes, and the others watch what it writes, in a form of their own. */
const watchers = (count: number, accept: string): Mix => ({
  clients: count + 1,
  before: [storedLarge],
  question: (client, round) =>
    client === 0
      ? {
          method: 'PATCH',
          path: `${configMaps}/large`,
          type: 'application/merge-patch+json',
          body: JSON.stringify({ data: { 'key-1': String(round) } }),
        }
      : {
          method: 'GET',
          path: `${configMaps}?watch=1&fieldSelector=metadata.name=large&timeoutSeconds=2`,
          accept,
        },
});

const ofWatches: Readonly<Record<string, Mix>> = {
  'watches-tables-400': watchers(400, 'application/json;as=Table;v=v1;g=meta.k8s.io'),
  'watches-metadata-400': watchers(400, 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'),
};

export const costlyMixes: Readonly<Record<string, Mix>> = { ...ofShortBodies, ...ofWatches };
