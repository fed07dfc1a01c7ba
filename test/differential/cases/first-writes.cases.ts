/** Writes that change nothing: the first after a creation is stored where reading defaults what the creation left out. */
import { ask, mergePatch, type DifferentialCase } from './case.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const core = '/api/v1/namespaces/$ns';
const apps = '/apis/apps/v1/namespaces/$ns';
const labels = { a: 'b' };
const podSpec = { containers: [{ name: 'c', image: 'i' }] };
const template = { metadata: { labels }, spec: podSpec };
const workload = { selector: { matchLabels: labels }, template };
const jobSpec = { ...podSpec, restartPolicy: 'Never' };

/** By collection, the content of one object. */
const contents: readonly (readonly [string, object])[] = [
  [`${core}/configmaps`, { data: { a: 'b' } }],
  [`${core}/secrets`, { stringData: { a: 'b' } }],
  [`${core}/serviceaccounts`, {}],
  [`${core}/pods`, { spec: podSpec }],
  [`${core}/services`, { spec: { ports: [{ port: 80 }] } }],
  [`${core}/endpoints`, {}],
  [`${core}/limitranges`, { spec: { limits: [] } }],
  [`${core}/resourcequotas`, { spec: { hard: { pods: '1' } } }],
  [`${core}/replicationcontrollers`, { spec: { selector: labels, template } }],
  [
    `${core}/persistentvolumeclaims`,
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } },
  ],
  [
    '/api/v1/persistentvolumes',
    { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1' }, hostPath: { path: '/a' } } },
  ],
  ['/api/v1/nodes', {}],
  [`${apps}/deployments`, { spec: workload }],
  [`${apps}/daemonsets`, { spec: workload }],
  [`${apps}/replicasets`, { spec: workload }],
  [`${apps}/statefulsets`, { spec: { ...workload, serviceName: 's' } }],
  ['/apis/batch/v1/namespaces/$ns/jobs', { spec: { template: { spec: jobSpec } } }],
  ['/apis/batch/v1/namespaces/$ns/jobs', { metadata: { labels }, spec: { template: { spec: jobSpec } } }],
  [
    '/apis/batch/v1/namespaces/$ns/cronjobs',
    { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: jobSpec } } } } },
  ],
  ['/apis/policy/v1/namespaces/$ns/poddisruptionbudgets', { spec: { minAvailable: 1 } }],
  ['/apis/coordination.k8s.io/v1/namespaces/$ns/leases', {}],
  ['/apis/networking.k8s.io/v1/namespaces/$ns/networkpolicies', { spec: { podSelector: {} } }],
  [
    '/apis/networking.k8s.io/v1/namespaces/$ns/ingresses',
    { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
  ],
  [
    '/apis/autoscaling/v2/namespaces/$ns/horizontalpodautoscalers',
    { spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } } },
  ],
];

const unless = (version: string, one: string): Step =>
  ask(
    `DELETE ${one}`,
    { dryRun: ['All'], preconditions: { resourceVersion: `$${version}.metadata.resourceVersion` } },
    { pick: ['code', 'reason'] },
  );

function steps(collection: string, content: object, endpoint: string): Step[] {
  const one = `${collection}/$id`;
  const nothing = ask(`PATCH ${one}${endpoint}`, { metadata: {} }, { ...mergePatch, pick: ['code'] });
  const { metadata, ...body } = content as { metadata?: object };
  return [
    {
      ...ask(`POST ${collection}`, { ...body, metadata: { ...metadata, name: '$id' } }, { pick: ['code'] }),
      name: 'made',
    },
    nothing,
    unless('made', one),
    { ...nothing, name: 'second' },
    { ...ask(`GET ${one}`, undefined, { pick: ['code'] }), name: 'read' },
    nothing,
    unless('read', one),
  ];
}

export const cases: readonly DifferentialCase[] = contents.flatMap(([collection, content], at) =>
  ['', '/status'].map((endpoint) => ({
    name: `${at} ${collection.replace(/^.*\//, '')}${endpoint}`,
    steps: steps(collection, content, endpoint),
    cleanup: [ask(`DELETE ${collection}/$id?gracePeriodSeconds=0`)],
  })),
);
