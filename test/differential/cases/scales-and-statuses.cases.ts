/** `/scale` and `/status` by PUT, every kind of patch and apply: what is taken of the body, what is refused, and who owns it. */
import { applyPatch, ask, jsonPatch, mergePatch, strategicPatch, type DifferentialCase } from './case.ts';
import { customGroup, defined, widgets, withoutDefinition } from './definition.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

type Json = Readonly<Record<string, unknown>>;

const core = '/api/v1/namespaces/$ns';
const apps = '/apis/apps/v1/namespaces/$ns';
const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const workload = { replicas: 2, selector: { matchLabels: labels }, template };

interface Subject {
  readonly name: string;
  readonly one: string;
  readonly body: Json;
  readonly hasScale?: boolean;
  readonly before?: readonly Step[];
  readonly after?: readonly Step[];
  /** Good in the status. */
  readonly status: Json;
}

const named = (apiVersion: string, kind: string, spec: Json): Json => ({
  apiVersion,
  kind,
  metadata: { name: 'a' },
  spec,
});
const subjects: readonly Subject[] = [
  {
    name: 'deployments',
    one: `${apps}/deployments/a`,
    body: named('apps/v1', 'Deployment', workload),
    hasScale: true,
    status: { replicas: 1, conditions: [{ type: 'Available', status: 'True' }] },
  },
  {
    name: 'replicationcontrollers',
    one: `${core}/replicationcontrollers/a`,
    body: named('v1', 'ReplicationController', { replicas: 2, selector: labels, template }),
    hasScale: true,
    status: { replicas: 1 },
  },
  {
    name: 'widgets',
    one: `${widgets}/a`,
    body: named(`${customGroup}/v1`, 'Widget', { replicas: 2, colour: 'red' }),
    hasScale: true,
    status: { replicas: 1, selector: 'a=b' },
    before: defined([
      {
        name: 'v1',
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.selector',
          },
        },
      },
    ]),
    after: [withoutDefinition],
  },
  {
    name: 'pods',
    one: `${core}/pods/a`,
    body: { ...named('v1', 'Pod', template.spec) },
    status: { phase: 'Running', podIP: '10.1.2.3', conditions: [{ type: 'Ready', status: 'True' }] },
  },
  {
    name: 'jobs',
    one: '/apis/batch/v1/namespaces/$ns/jobs/a',
    body: named('batch/v1', 'Job', {
      suspend: true,
      template: { metadata: { labels }, spec: { ...template.spec, restartPolicy: 'Never' } },
    }),
    status: { active: 1 },
  },
  {
    name: 'services',
    one: `${core}/services/a`,
    body: named('v1', 'Service', { clusterIP: 'None', ports: [{ port: 80 }] }),
    status: {
      conditions: [
        { type: 'A', status: 'True', reason: 'B', message: '', lastTransitionTime: '2020-01-01T00:00:00Z' },
      ],
    },
  },
];

const scale = (spec: unknown, metadata: Json = {}, more: Json = {}): Json => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a', ...metadata },
  spec,
  ...more,
});
const replicas = (value: unknown) => ({ replicas: value });

const scaleBodies: readonly Json[] = [
  scale(replicas(3)),
  scale({}),
  scale(null),
  scale(undefined),
  scale(replicas(null)),
  scale(replicas(-1)),
  scale(replicas(2147483648)),
  scale(replicas('3')),
  scale(replicas(1.5)),
  scale(replicas(0)),
  scale(replicas(4), { labels, annotations: { x: 'y' }, finalizers: ['a.b/c'] }),
  scale(replicas(4), { namespace: 'default' }),
  scale(replicas(4), { name: 'b' }),
  scale(replicas(4), { name: undefined }),
  scale(replicas(4), { generateName: 'x' }),
  scale(replicas(4), { resourceVersion: '1' }),
  scale(replicas(4), { resourceVersion: 'x' }),
  scale(replicas(4), { resourceVersion: '0' }),
  scale(replicas(4), { uid: '7b1c2d3e-0000-4000-8000-00000000abcd' }),
  scale(replicas(4), { managedFields: [] }),
  scale(replicas(4), {}, { status: { replicas: 7, selector: 'x=y' } }),
  scale(replicas(4), {}, { size: 1 }),
  scale({ ...replicas(4), size: 1 }),
  scale(replicas(4), {}, { apiVersion: 'autoscaling/v2' }),
  scale(replicas(4), {}, { apiVersion: 'extensions/v1beta1' }),
  scale(replicas(4), {}, { apiVersion: 'apps/v1beta1' }),
  scale(replicas(4), {}, { kind: 'Deployment', apiVersion: 'apps/v1' }),
  scale(replicas(4), {}, { kind: undefined }),
  scale(replicas(4), {}, { kind: undefined, apiVersion: undefined }),
  {},
];

const ways: Readonly<Record<string, (one: string, body: unknown, query: string) => Step>> = {
  put: (one, body, query) => ask(`PUT ${one}?${query}`, body),
  merge: (one, body, query) => ask(`PATCH ${one}?${query}`, body, mergePatch),
  strategic: (one, body, query) => ask(`PATCH ${one}?${query}`, body, strategicPatch),
  apply: (one, body, query) => ask(`PATCH ${one}?${query}&fieldManager=m`, body, applyPatch),
  'apply-force': (one, body, query) =>
    ask(`PATCH ${one}?${query}&fieldManager=m&force=true`, body, applyPatch),
};

const collectionOf = (one: string): string => one.slice(0, one.lastIndexOf('/'));
const owned = (one: string) => ask(`GET ${one}`);

const scaleCases = subjects
  .filter(({ hasScale }) => hasScale)
  .flatMap(({ name, one, body, before = [], after = [] }): DifferentialCase[] => [
    ...Object.entries(ways).map(([way, send]) => ({
      name: `scale-${name}-${way}`,
      steps: [
        ...before,
        ask(`POST ${collectionOf(one)}?fieldManager=creator`, body, { quiet: true }),
        ...scaleBodies.flatMap((sent) => [
          send(`${one}/scale`, sent, 'dryRun=All&fieldValidation=Strict'),
          send(`${one}/scale`, sent, ''),
        ]),
        owned(one),
        ...after,
      ],
    })),
    {
      name: `scale-${name}-json`,
      steps: [
        ...before,
        ask(`POST ${collectionOf(one)}?fieldManager=creator`, body, { quiet: true }),
        ...[
          [],
          [{ op: 'replace', path: '/spec/replicas', value: 5 }],
          [{ op: 'remove', path: '/spec/replicas' }],
          [{ op: 'remove', path: '/spec' }],
          [{ op: 'add', path: '/spec/size', value: 1 }],
          [{ op: 'add', path: '/metadata/labels', value: labels }],
          [{ op: 'test', path: '/spec/replicas', value: 9 }],
          [{ op: 'replace', path: '/status/replicas', value: 9 }],
          [{ op: 'replace', path: '/status/selector', value: 'z=1' }],
          [{ op: 'replace', path: '/metadata/name', value: 'b' }],
          [{ op: 'replace', path: '/metadata/resourceVersion', value: '1' }],
          [{ op: 'replace', path: '/kind', value: 'Pod' }],
          [{ op: 'replace', path: '/apiVersion', value: 'v1' }],
          [{ op: 'replace', path: '/spec/replicas', value: 'x' }],
          [{ op: 'copy', from: '/status/replicas', path: '/spec/replicas' }],
        ].flatMap((operations) => [
          ask(`PATCH ${one}/scale?dryRun=All&fieldValidation=Strict`, operations, jsonPatch),
          ask(`PATCH ${one}/scale?fieldManager=j`, operations, jsonPatch),
        ]),
        owned(one),
        ...after,
      ],
    },
    {
      name: `scale-${name}-owners`,
      steps: [
        ...before,
        ask(`PATCH ${one}?fieldManager=applier`, body, applyPatch),
        ways['apply']!(`${one}/scale`, scale(replicas(2)), ''),
        owned(one),
        ways['apply']!(`${one}/scale`, scale(replicas(3)), ''),
        ways['apply-force']!(`${one}/scale`, scale(replicas(3)), ''),
        owned(one),
        ask(`PATCH ${one}?fieldManager=applier`, body, applyPatch),
        ask(
          `PATCH ${one}?fieldManager=applier`,
          { ...body, spec: { ...(body['spec'] as Json), replicas: undefined } },
          applyPatch,
        ),
        ask(`PUT ${one}/scale?fieldManager=putter`, scale(replicas(6))),
        owned(one),
        ways['apply']!(`${one}/scale`, scale({}), ''),
        owned(one),
        ways['apply']!(`${one}/scale`, scale(replicas(6)), ''),
        ask(`PATCH ${one}/scale`, { metadata: { managedFields: [{}] } }, mergePatch),
        owned(one),
        ask(
          `PATCH ${collectionOf(one)}/none/scale?fieldManager=m`,
          scale(replicas(1), { name: 'none' }),
          applyPatch,
        ),
        ...after,
      ],
    },
  ]);

const statusCases = subjects.flatMap(({ name, one, body, status, before = [], after = [] }) => {
  const other = {
    status: { ...status },
    metadata: { labels: { s: 't' }, annotations: { s: 't' } },
    spec: { replicas: 9 },
  };
  const head = { apiVersion: body['apiVersion'], kind: body['kind'], metadata: { name: 'a' } };
  const bodies: readonly Json[] = [
    { status },
    { status: {} },
    { status: null },
    other,
    { status, metadata: { name: 'b' } },
    { status, metadata: { resourceVersion: '1' } },
    { status, metadata: { finalizers: ['a.b/c'] } },
    {
      status,
      metadata: { generation: 9, creationTimestamp: null, deletionTimestamp: '2020-01-01T00:00:00Z' },
    },
    { status: 'x' },
    { status: { nosuch: 1 } },
    { status: [] },
    { nosuch: 1 },
    { spec: null },
    {},
  ];
  const full = (sent: Json): Json => ({
    ...body,
    ...sent,
    metadata: {
      ...(sent['metadata'] as Json),
      ...(!(sent['metadata'] as Json | undefined)?.['name'] && { name: 'a' }),
    },
  });
  const bare = (sent: Json): Json => ({
    ...head,
    ...sent,
    metadata: { name: 'a', ...(sent['metadata'] as Json) },
  });
  return Object.entries(ways).map(([way, send]): DifferentialCase => ({
    name: `status-${name}-${way}`,
    steps: [
      ...before,
      ask(`POST ${collectionOf(one)}?fieldManager=creator`, body, { quiet: true }),
      ...bodies.flatMap((sent) => {
        const made = way === 'put' ? full(sent) : way.startsWith('apply') ? bare(sent) : sent;
        return [
          send(`${one}/status`, made, 'dryRun=All&fieldValidation=Strict'),
          send(`${one}/status`, made, ''),
        ];
      }),
      owned(one),
      ask(`PATCH ${one}?fieldManager=applier&force=true`, { ...body, status: { nosuch: 1 } }, applyPatch),
      ask(`PATCH ${one}?fieldManager=applier&force=true`, { ...body, status }, applyPatch),
      owned(one),
      ask(`GET ${one}/status`),
      ...after,
    ],
  }));
});

export const cases: readonly DifferentialCase[] = [...scaleCases, ...statusCases];
