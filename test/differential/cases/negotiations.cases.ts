/** Accept headers: every kind to show objects as, in versions and groups that exist and do not, in several encodings. */
import { ask, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const configMaps = '/api/v1/namespaces/$ns/configmaps';
const pick = [
  'kind',
  'apiVersion',
  'message',
  'reason',
  'code',
  'rows.*.cells',
  'rows.*.object.kind',
  'items',
  'data',
];

const kinds = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList', 'table', 'ConfigMap', ''];
const versions = ['v1', 'v1beta1', 'v1alpha1', 'v2', '', undefined];
const groups = ['meta.k8s.io', 'apps', '', undefined];
const encodings = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'text/html',
  '*/*',
  'application/*',
];

const parameters = kinds.flatMap((as) =>
  versions.flatMap((v) =>
    groups.map((g) =>
      Object.entries({ as, v, g })
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `;${name}=${value}`)
        .join(''),
    ),
  ),
);

const more = [
  'application/json;as=Table;v=v2;g=meta.k8s.io, application/json',
  'application/json;as=Table;v=v2;g=meta.k8s.io,application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  'application/yaml;q=0.1, application/json;q=0.9',
  'application/yaml;q=0, application/json;q=0',
  'application/json;q=x',
  'application/json;pretty=1',
  'application/json; as=Table; v=v1; g=meta.k8s.io',
  'APPLICATION/JSON',
  'application/json;stream=watch',
  'application/json;stream=other',
  'application/json;profile=nosuch',
  'application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io',
  'application/json;as="Table";v="v1";g="meta.k8s.io"',
  'application/json;as=Table;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v1;g=meta.k8s.io;includeObject=None',
  'application/json,,application/yaml',
  'application',
  '/',
  ';',
  ' ',
];

/** What YAML shows is text and tells of every column. */
const asked = (accept: string): Step[] => {
  const quiet = accept.includes('yaml') || accept.includes('*') || accept.includes('protobuf');
  const step = (req: string, body?: unknown): Step =>
    ask(req, body, { accept, ...(quiet ? { quiet } : { pick }) });
  return [
    step(`GET ${configMaps}/a`),
    step(`GET ${configMaps}`),
    step(`GET ${configMaps}/nosuch`),
    step(`POST ${configMaps}?dryRun=All`, { metadata: { name: 'b' } }),
    step(`GET ${configMaps}?watch=true&resourceVersion=x`),
    step(`DELETE ${configMaps}/a?dryRun=All`),
  ];
};

/** Documents have rules of their own. */
const documents: DifferentialCase = {
  name: 'documents',
  steps: [
    '*/json',
    'text/json',
    'a/b,*/json;q=0.1',
    '*/x',
    'a',
    'a/b/c',
    ';',
    ',',
    'application',
    '*',
  ].flatMap((accept) =>
    ['/openapi/v2', '/openapi/v3', '/openapi/v3/version'].map((path) =>
      ask(`GET ${path}`, undefined, { accept, quiet: true }),
    ),
  ),
};

const ofObjects: readonly DifferentialCase[] = [...encodings, 'more'].map((encoding) => ({
  name: encoding,
  steps: [
    ask(`POST ${configMaps}`, { metadata: { name: 'a' }, data: { a: 'b' } }, { quiet: true }),
    ...(encoding === 'more' ? more : parameters.map((parameter) => `${encoding}${parameter}`)).flatMap(asked),
  ],
}));

export const cases: readonly DifferentialCase[] = [...ofObjects, documents];
