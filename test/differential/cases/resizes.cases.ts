/** Resizes of pods: what may change of the resources of running and waiting containers, and what may not. */
import { applyPatch, ask, jsonPatch, mergePatch, strategicPatch, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const pods = '/api/v1/namespaces/$ns/pods';
const resize = `${pods}/p/resize?dryRun=All`;
const pick = [
  'message',
  'reason',
  'code',
  'spec.containers.*.resources',
  'spec.initContainers.*.resources',
  'spec.resources',
  'metadata.generation',
  'metadata.labels',
  'status',
];

type Json = Readonly<Record<string, unknown>>;
const resources = (cpu?: string, memory?: string, limitCpu?: string, limitMemory?: string): Json => {
  const some = (pairs: Json) =>
    Object.fromEntries(Object.entries(pairs).filter(([, value]) => value !== undefined));
  const requests = some({ cpu, memory });
  const limits = some({ cpu: limitCpu, memory: limitMemory });
  return {
    ...(Object.keys(requests).length > 0 && { requests }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
};

const pod = (given: Json, more: Json = {}, container: Json = {}): Json => ({
  metadata: { name: 'p' },
  spec: {
    containers: [
      { name: 'c', image: 'i', resources: given, ...container },
      { name: 'd', image: 'i' },
    ],
    ...more,
  },
});

const targets: Readonly<Record<string, Json>> = {
  'best effort': pod({}),
  burstable: pod(resources('1', '1Gi')),
  limited: pod(resources('1', '1Gi', '2', '2Gi')),
  guaranteed: {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i', resources: resources('1', '1Gi', '1', '1Gi') }] },
  },
  restarting: pod(
    resources('1', '1Gi', '2', '2Gi'),
    {},
    {
      resizePolicy: [
        { resourceName: 'cpu', restartPolicy: 'NotRequired' },
        { resourceName: 'memory', restartPolicy: 'RestartContainer' },
      ],
    },
  ),
  'never restarting': pod(resources('1', '1Gi'), { restartPolicy: 'Never' }),
  initial: pod(resources('1', '1Gi'), {
    initContainers: [
      { name: 'i', image: 'i', resources: resources('1') },
      { name: 's', image: 'i', restartPolicy: 'Always', resources: resources('1', '1Gi') },
    ],
  }),
  'of the pod': pod(resources('1', '1Gi'), { resources: resources('2', '2Gi', '3', '3Gi') }),
  windows: pod(resources('1', '1Gi'), { os: { name: 'windows' } }),
  extended: pod({ requests: { cpu: '1', 'example.com/x': '1' }, limits: { 'example.com/x': '1' } }),
  huge: pod({
    requests: { cpu: '1', memory: '1Gi', 'hugepages-2Mi': '4Mi', 'ephemeral-storage': '1Gi' },
    limits: { 'hugepages-2Mi': '4Mi' },
  }),
};

const changes: readonly (readonly [string, Json | readonly Json[]])[] = [
  ...[
    resources('2'),
    resources('2', '1Gi'),
    resources('1', '2Gi', '3', '3Gi'),
    resources('1', '512Mi', '2', '1Gi'),
    resources('1', '1Gi', '2', '1536Mi'),
    resources('3', '1Gi', '2', '2Gi'),
    resources('0', '0'),
    resources('-1'),
    resources(undefined, undefined, '1', '1Gi'),
    { requests: { 'example.com/x': '2' }, limits: { 'example.com/x': '2' } },
    { requests: { 'ephemeral-storage': '1Gi' } },
    { requests: { 'hugepages-2Mi': '8Mi' }, limits: { 'hugepages-2Mi': '8Mi' } },
    { requests: null },
    { limits: null },
    { claims: [{ name: 'x' }] },
    { requests: { cpu: 'x' } },
    { requests: { nothing: '1' } },
  ].map((given): readonly [string, Json] => [
    'application/strategic-merge-patch+json',
    { spec: { containers: [{ name: 'c', resources: given }] } },
  ]),
  ...[
    { spec: { containers: [{ name: 'd', resources: resources('1') }] } },
    { spec: { containers: [{ name: 'c', image: 'other' }] } },
    {
      spec: {
        containers: [
          { name: 'c', resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
        ],
      },
    },
    { spec: { containers: [{ name: 'e', image: 'i', resources: resources('1') }] } },
    { spec: { containers: [{ name: 'd', $patch: 'delete' }] } },
    { spec: { initContainers: [{ name: 'i', resources: resources('2') }] } },
    { spec: { initContainers: [{ name: 's', resources: resources('2') }] } },
    { spec: { resources: resources('3', '3Gi') } },
    { spec: { resources: null } },
    { spec: { activeDeadlineSeconds: 5 } },
    { spec: { tolerations: [{ key: 'a', operator: 'Exists' }] } },
    { metadata: { labels: { a: 'b' } } },
    { metadata: { annotations: { a: 'b' }, finalizers: ['a.example.com/b'] } },
    { status: { phase: 'Running' } },
    { status: { resize: 'Proposed' } },
    {},
  ].map((patch): readonly [string, Json] => ['application/strategic-merge-patch+json', patch]),
  ['application/merge-patch+json', { spec: { containers: [] } }],
  ['application/merge-patch+json', { spec: { containers: null } }],
  ['application/json-patch+json', [{ op: 'replace', path: '/spec/containers/0/resources', value: {} }]],
  ['application/json-patch+json', [{ op: 'remove', path: '/spec/containers/0/resources' }]],
  [
    'application/apply-patch+yaml',
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', resources: resources('2') }] },
    },
  ],
  [
    'application/apply-patch+yaml',
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'x' }] },
    },
  ],
];

const questions = (): Step[] =>
  changes.flatMap(([type, patch]) => {
    const query = type.includes('apply') ? '&fieldManager=m&force=true' : '';
    return [
      ask(`PATCH ${resize}${query}`, patch, { type, pick }),
      ask(`PATCH ${pods}/p?dryRun=All${query}`, patch, { type, pick }),
    ];
  });

const statuses: readonly Json[] = [
  {
    phase: 'Running',
    containerStatuses: [{ name: 'c', image: 'i', imageID: '', ready: true, restartCount: 0 }],
  },
  { phase: 'Succeeded' },
];

export const cases: readonly DifferentialCase[] = Object.entries(targets).map(([name, target]) => ({
  name,
  steps: [
    ask(`POST ${pods}`, target, { pick }),
    ...questions(),
    ...statuses.flatMap((status) => [
      ask(`PATCH ${pods}/p/status`, { status }, { ...mergePatch, pick }),
      ask(
        resize.replace(/^/, 'PATCH '),
        { spec: { containers: [{ name: 'c', resources: resources('3') }] } },
        { ...strategicPatch, pick },
      ),
    ]),
    ask(
      `PATCH ${resize.replace('dryRun=All', '')}`,
      { spec: { containers: [{ name: 'd', resources: resources(undefined, undefined, '3') }] } },
      { ...strategicPatch, pick },
    ),
    ask(`PATCH ${pods}/p/resize?dryRun=x`, [], { ...jsonPatch, pick }),
    ask(
      `PATCH ${pods}/nosuch/resize?fieldManager=a`,
      { apiVersion: 'v1', kind: 'Pod' },
      { ...applyPatch, pick },
    ),
  ],
}));
