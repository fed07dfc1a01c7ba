/** The members that name a type, in other spellings; versions of objects that an update creates; reads of events at versions. */
import { applyPatch, ask, type DifferentialCase } from './case.ts';

const core = '/api/v1/namespaces/$ns';
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };
const metadata = { name: 'c' };

const bodies: readonly object[] = [
  { ...configMap, KIND: 'x' },
  { KIND: 'x', ...configMap },
  { ...configMap, Kind: null },
  { ...configMap, kInD: 7 },
  { ...configMap, aPiVersion: 'v9' },
  { apiversion: 'v1', Kind: 'ConfigMap', metadata },
  { APIVERSION: 'v1', KIND: 'Secret', metadata },
  { ...configMap, Metadata: {} },
  { kinds: 'x', ...configMap },
];

const spellings = ['Strict', 'Warn', 'Ignore'].flatMap((validation) =>
  bodies.flatMap((body) => [
    ask(`POST ${core}/configmaps?dryRun=All&fieldValidation=${validation}`, body),
    ask(`POST ${core}/configmaps?dryRun=All&fieldValidation=${validation}`, JSON.stringify(body), {
      type: 'application/yaml',
    }),
    ask(`PATCH ${core}/configmaps/c?dryRun=All&fieldManager=m`, body, applyPatch),
    ask(`DELETE ${core}/configmaps/none`, { kind: 'DeleteOptions', apiVersion: 'v1', ...body }),
  ]),
);

/** What an update may create is refused for its version before anything else. */
const versions = ['abc', '-1', '1', '0', ''].flatMap((resourceVersion) => [
  ask(`PUT ${core}/services/s?dryRun=All`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's', resourceVersion },
  }),
  ask('PUT /apis/node.k8s.io/v1/runtimeclasses/r-$id?dryRun=All', {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'r-$id', resourceVersion },
  }),
]);

const reads = ['x', '-1', '0', '1', '99999999'].flatMap((version) =>
  [`${core}/events`, '/apis/events.k8s.io/v1/namespaces/$ns/events', `${core}/configmaps`].map((path) =>
    ask(`GET ${path}/none?resourceVersion=${version}`),
  ),
);

const selfLinks = [
  ['/apis/batch/v1/namespaces/$ns/jobs', 'batch/v1', 'Job'],
  [`${core}/configmaps`, 'v1', 'ConfigMap'],
].flatMap(([collection, apiVersion, kind]) => {
  const object = {
    apiVersion,
    kind,
    metadata: { name: 'l', selfLink: '/x', creationTimestamp: '2001-01-01T00:00:00Z', generation: 9 },
    ...(kind === 'Job' && {
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
    }),
  };
  const brief = { pick: ['metadata.selfLink', 'metadata.generation', 'message'] };
  return [
    ask(`POST ${collection}?dryRun=All`, object, brief),
    ask(`PATCH ${collection}/l?dryRun=All&fieldManager=m`, object, { ...applyPatch, ...brief }),
    ask(`PATCH ${collection}/l?fieldManager=m`, object, { ...applyPatch, ...brief }),
    ask(`PATCH ${collection}/l?dryRun=All&fieldManager=m`, object, { ...applyPatch, ...brief }),
    ask(`GET ${collection}/l`, undefined, brief),
    ask(
      `PUT ${collection}/l?dryRun=All`,
      { ...object, metadata: { ...object.metadata, labels: { a: 'b' } } },
      brief,
    ),
  ];
});

export const cases: readonly DifferentialCase[] = [
  { name: 'spellings', steps: spellings },
  { name: 'versions-of-created', steps: versions },
  { name: 'reads-at-versions', steps: reads },
  { name: 'self-links', steps: selfLinks },
];
