/** What watches send in every form, with every selector and start, while objects come, change and go. */
import { ask, mergePatch, type DifferentialCase } from './case.ts';
import { customGroup, defined, widgets, withoutDefinition } from './definition.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const forms = {
  json: 'application/json',
  'json-watch': 'application/json;stream=watch',
  table: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  'old-table': 'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  metadata: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'old-metadata': 'application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io',
  'metadata-list': 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  yaml: 'application/yaml',
  text: 'text/plain',
} as const;

const queries = [
  '',
  'includeObject=None',
  'includeObject=Object',
  'resourceVersion=0',
  'allowWatchBookmarks=true',
  'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
  'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
  'labelSelector=half%3Dyes',
  'fieldSelector=metadata.name%3Db',
  'fieldSelector=metadata.name%3Db&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
  'labelSelector=half%3Dyes&includeObject=Object',
  'resourceVersion=0&labelSelector=half%3Dno',
];

interface Target {
  readonly name: string;
  readonly collection: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly before?: readonly Step[];
  readonly cleanup?: readonly Step[];
}

const targets: readonly Target[] = [
  {
    name: 'pods',
    collection: '/api/v1/namespaces/$ns/pods',
    body: { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
  {
    name: 'configmaps',
    collection: '/api/v1/namespaces/$ns/configmaps',
    body: { apiVersion: 'v1', kind: 'ConfigMap' },
  },
  {
    name: 'widgets',
    collection: widgets,
    body: { apiVersion: `${customGroup}/v1`, kind: 'Widget' },
    before: defined([
      {
        name: 'v1',
        additionalPrinterColumns: [{ name: 'Half', type: 'string', jsonPath: '.metadata.labels.half' }],
      },
    ]),
    cleanup: [withoutDefinition],
  },
];

export const cases: readonly DifferentialCase[] = targets.flatMap(
  ({ name, collection, body, before = [], cleanup = [] }) =>
    Object.entries(forms).map(([form, accept]): DifferentialCase => ({
      name: `${form}-of-${name}`,
      steps: [
        ...before,
        ...['a', 'b'].map((object, at) =>
          ask(
            `POST ${collection}`,
            { ...body, metadata: { name: object, labels: { half: at === 0 ? 'yes' : 'no' } } },
            { quiet: true },
          ),
        ),
        ...queries.map((query, at): Step => {
          const later = `c${at}`;
          const patch = (half: string) =>
            ask(`PATCH ${collection}/b`, { metadata: { labels: { half } } }, { ...mergePatch, quiet: true });
          return {
            ...ask(`GET ${collection}?watch=true&timeoutSeconds=2&${query}`, undefined, { accept }),
            watch: { timeoutMs: 4000 },
            during: [
              ask(
                `POST ${collection}`,
                { ...body, metadata: { name: later, labels: { half: 'yes' } } },
                { quiet: true, name: `create-${at}` },
              ),
              { ...patch('yes'), name: `yes-${at}` },
              { ...patch('no'), name: `no-${at}` },
              ask(`DELETE ${collection}/${later}?gracePeriodSeconds=0`, undefined, {
                quiet: true,
                name: `delete-${at}`,
              }),
            ],
          };
        }),
      ],
      cleanup,
    })),
);
