/** What a tenant may send that is valid and costs much: each mix so many clients at once, for `heavy-tenant.ts`. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly accept?: string;
  readonly body?: string;
}

export interface Mix {
  readonly clients: number;
  /** What has to be there before. */
  readonly before?: readonly Question[];
  question(client: number, round: number): Question;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const dryRun = `${configMaps}?dryRun=All`;
const json = 'application/json';
const yaml = 'application/yaml';

const keyed = (count: number, value: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key-${at}`, value]));

const configMap = (name: string, data: Record<string, string>): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

const yamlMap = (name: string, count: number, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n` +
  Array.from({ length: count }, (_, at) => `  key-${at}: ${value}\n`).join('');

const repeated = (clients: number, question: Question): Mix => ({ clients, question: () => question });

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

const storedLarge: Question = {
  method: 'POST',
  path: configMaps,
  type: json,
  body: configMap('large', keyed(25_000, 'v')),
};

export const mixes: Readonly<Record<string, Mix>> = {
  'yaml-12': repeated(12, { method: 'POST', path: dryRun, type: yaml, body: largeYaml }),
  'yaml-40': repeated(40, { method: 'POST', path: dryRun, type: yaml, body: largeYaml }),
  'apply-40': repeated(40, {
    method: 'PATCH',
    path: `${configMaps}/applied?dryRun=All&fieldManager=tenant&force=true`,
    type: 'application/apply-patch+yaml',
    body: manyKeys,
  }),
  'json-40': repeated(40, { method: 'POST', path: dryRun, type: json, body: halfMegabyte }),
  'json-3m': repeated(20, {
    method: 'POST',
    path: dryRun,
    type: json,
    body: configMap('most', keyed(130_000, 'v')),
  }),
  'lists-yaml-20': {
    ...repeated(20, { method: 'GET', path: configMaps, accept: yaml }),
    before: smallOnes(5_000),
  },
  'lists-protobuf-20': repeated(20, {
    method: 'GET',
    path: configMaps,
    accept: 'application/vnd.kubernetes.protobuf',
  }),
  'lists-table-20': repeated(20, {
    method: 'GET',
    path: configMaps,
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  }),
  'lists-pretty-20': repeated(20, { method: 'GET', path: `${configMaps}?pretty=true` }),
  'patch-large-40': {
    ...repeated(40, {
      method: 'PATCH',
      path: `${configMaps}/large?dryRun=All`,
      type: 'application/merge-patch+json',
      body: '{"data":{"key-1":"w"}}',
    }),
    before: [storedLarge],
  },
  'json-patch-40': repeated(40, {
    method: 'PATCH',
    path: `${configMaps}/large?dryRun=All`,
    type: 'application/json-patch+json',
    body: JSON.stringify(
      Array.from({ length: 5_000 }, (_, at) => ({ op: 'test', path: '/data/key-1', value: 'v', at })),
    ),
  }),
  'get-yaml-40': repeated(40, { method: 'GET', path: `${configMaps}/large`, accept: yaml }),
  'invalid-40': repeated(40, {
    method: 'POST',
    path: dryRun,
    type: json,
    body: configMap(
      'bad',
      Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`no good key ${at}`, 'v'])),
    ),
  }),
};
