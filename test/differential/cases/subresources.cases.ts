/** Every subresource, by every method, in every type of content. */
import { ask, type DifferentialCase } from './case.ts';
import { customGroup, defined, widgets, withoutDefinition } from './definition.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const core = '/api/v1/namespaces/$ns';
const apps = '/apis/apps/v1/namespaces/$ns';
const labels = { a: 'b' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const workload = { selector: { matchLabels: labels }, template };

interface Target {
  readonly name: string;
  readonly collection: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly subresources: readonly string[];
  readonly isClusterWide?: boolean;
  readonly before?: readonly Step[];
  readonly after?: readonly Step[];
}

const targets: readonly Target[] = [
  {
    name: 'pods',
    collection: `${core}/pods`,
    body: { apiVersion: 'v1', kind: 'Pod', spec: template.spec },
    subresources: [
      'status',
      'resize',
      'ephemeralcontainers',
      'binding',
      'eviction',
      'log',
      'scale',
      'nosuch',
    ],
  },
  {
    name: 'deployments',
    collection: `${apps}/deployments`,
    body: { apiVersion: 'apps/v1', kind: 'Deployment', spec: workload },
    subresources: ['status', 'scale', 'rollback', 'nosuch'],
  },
  {
    name: 'replicationcontrollers',
    collection: `${core}/replicationcontrollers`,
    body: { apiVersion: 'v1', kind: 'ReplicationController', spec: { selector: labels, template } },
    subresources: ['status', 'scale'],
  },
  {
    name: 'daemonsets',
    collection: `${apps}/daemonsets`,
    body: { apiVersion: 'apps/v1', kind: 'DaemonSet', spec: workload },
    subresources: ['status', 'scale'],
  },
  {
    name: 'serviceaccounts',
    collection: `${core}/serviceaccounts`,
    body: { apiVersion: 'v1', kind: 'ServiceAccount' },
    subresources: ['token', 'status'],
  },
  {
    name: 'services',
    collection: `${core}/services`,
    body: { apiVersion: 'v1', kind: 'Service', spec: { clusterIP: 'None', ports: [{ port: 80 }] } },
    subresources: ['status', 'scale'],
  },
  {
    name: 'certificates',
    collection: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    body: {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      spec: { request: 'YQ==', signerName: 'example.com/a', usages: ['client auth'] },
    },
    subresources: ['approval', 'status', 'nosuch'],
    isClusterWide: true,
  },
  {
    name: 'nodes',
    collection: '/api/v1/nodes',
    body: { apiVersion: 'v1', kind: 'Node' },
    subresources: ['status', 'nosuch'],
    isClusterWide: true,
  },
  {
    name: 'configmaps',
    collection: `${core}/configmaps`,
    body: { apiVersion: 'v1', kind: 'ConfigMap' },
    subresources: ['status', 'scale'],
  },
  {
    name: 'widgets',
    collection: widgets,
    body: { apiVersion: `${customGroup}/v1`, kind: 'Widget', spec: { replicas: 1 } },
    subresources: ['status', 'scale', 'nosuch'],
    before: defined([
      {
        name: 'v1',
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      },
    ]),
    after: [withoutDefinition],
  },
];

const types = [
  'application/json',
  'application/yaml',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/apply-patch+cbor',
  'application/cbor',
  'application/vnd.kubernetes.protobuf',
  'text/plain',
  'application/json; charset=utf-8',
  'application/json;v=1',
  'nonsense',
  '',
];
const accepts = [
  'application/yaml',
  'application/xml',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/cbor',
];
const brief = { ignore: ['metadata.managedFields', '**.token', '**.expirationTimestamp'] };
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY'];
const bodied = new Set(['POST', 'PUT', 'PATCH']);

function* questions({ collection, body, subresources }: Target): Generator<Step> {
  const object = { ...body, metadata: { name: '$id' } };
  for (const subresource of ['', ...subresources]) {
    for (const name of ['$id', 'nosuch']) {
      const one = `${collection}/${name}${subresource === '' ? '' : `/${subresource}`}`;
      for (const method of methods) {
        if (subresource === 'log' && method === 'GET') continue;
        const query = method === 'PATCH' ? '?dryRun=All&fieldManager=m' : '?dryRun=All';
        yield ask(
          `${method} ${one}${query}`,
          bodied.has(method) ? object : undefined,
          method === 'PATCH' ? { type: 'application/merge-patch+json', ...brief } : brief,
        );
      }
      for (const type of types) {
        // The original breaks the connection off.
        if (collection === widgets && type.endsWith('protobuf')) continue;
        for (const method of bodied)
          yield ask(
            `${method} ${one}?dryRun=All&fieldManager=m`,
            method === 'PATCH' && type.includes('json-patch') ? [] : object,
            { type, ...brief },
          );
      }
      for (const accept of accepts) {
        if (subresource !== 'log') yield ask(`GET ${one}`, undefined, { accept, ...brief });
        yield ask(`PUT ${one}?dryRun=All`, object, { accept, ...brief });
        yield ask(`DELETE ${one}?dryRun=All`, undefined, { accept, ...brief });
      }
    }
  }
}

export const cases: readonly DifferentialCase[] = targets.map((target): DifferentialCase => ({
  name: target.name,
  steps: [
    ...(target.before ?? []),
    ask(`POST ${target.collection}`, { ...target.body, metadata: { name: '$id' } }, { quiet: true }),
    ...questions(target),
  ],
  cleanup: [ask(`DELETE ${target.collection}/$id`), ...(target.after ?? [])],
}));
