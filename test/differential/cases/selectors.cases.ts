/** Field selectors by every field of every kind that has some, and by fields that it lacks; selectors of deletes and watches. */
import { ask, type DifferentialCase } from './case.ts';
import { defined, widgets, withoutDefinition } from './definition.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const core = '/api/v1/namespaces/$ns';
const pod = { containers: [{ name: 'c', image: 'i' }] };

interface Selected {
  readonly collection: string;
  readonly objects: readonly object[];
  readonly selectors: readonly string[];
}

const selected: Readonly<Record<string, Selected>> = {
  pods: {
    collection: `${core}/pods`,
    objects: [
      {
        metadata: { name: 'a' },
        spec: { ...pod, nodeName: 'n', restartPolicy: 'Never', serviceAccountName: 'x' },
      },
      {
        metadata: { name: 'b', labels: { app: 'b' } },
        spec: { ...pod, schedulerName: 'other', hostNetwork: true },
      },
    ],
    selectors: [
      'spec.nodeName=n',
      'spec.nodeName!=n',
      'spec.nodeName=',
      'spec.restartPolicy=Never',
      'spec.schedulerName=default-scheduler',
      'spec.serviceAccountName=x',
      'spec.hostNetwork=true',
      'spec.hostNetwork=false',
      'spec.hostNetwork=maybe',
      'status.phase=Pending',
      'status.phase=pending',
      'status.podIP=',
      'status.podIPs=',
      'status.nominatedNodeName=',
      'spec.nodeName=n,metadata.name=a',
      'spec.nodeName=n,spec.nodeName=m',
      'spec.nodeName=n,spec.nodeName!=n',
      'status.reason=x',
      'spec.host=n',
    ],
  },
  services: {
    collection: `${core}/services`,
    objects: [{ metadata: { name: 'a' }, spec: { clusterIP: 'None', ports: [{ port: 1 }] } }],
    selectors: [
      'spec.clusterIP=None',
      'spec.type=ClusterIP',
      'spec.type!=ClusterIP',
      'spec.externalName=',
      'spec.ports=1',
    ],
  },
  secrets: {
    collection: `${core}/secrets`,
    objects: [{ metadata: { name: 'a' }, type: 'x/y' }, { metadata: { name: 'b' } }],
    selectors: ['type=x/y', 'type=Opaque', 'type!=Opaque', 'data=a'],
  },
  events: {
    collection: `${core}/events`,
    objects: [
      {
        metadata: { name: 'a' },
        involvedObject: { kind: 'Pod', namespace: '$ns', name: 'p', fieldPath: 'spec' },
        reason: 'R',
        type: 'Warning',
        source: { component: 'c', host: 'h' },
        reportingComponent: 'rc',
      },
    ],
    selectors: [
      'involvedObject.kind=Pod',
      'involvedObject.namespace=$ns',
      'involvedObject.name=p',
      'involvedObject.uid=',
      'involvedObject.apiVersion=',
      'involvedObject.resourceVersion=',
      'involvedObject.fieldPath=spec',
      'reason=R',
      'source=c',
      'reportingComponent=rc',
      'type=Warning',
      'type=warning',
      'source.component=c',
      'regarding.name=p',
    ],
  },
  'new-events': {
    collection: '/apis/events.k8s.io/v1/namespaces/$ns/events',
    objects: [],
    selectors: [
      'regarding.name=p',
      'involvedObject.name=p',
      'reason=R',
      'reportingController=x',
      'reportingComponent=x',
      'source=c',
    ],
  },
  replicationcontrollers: {
    collection: `${core}/replicationcontrollers`,
    objects: [
      {
        metadata: { name: 'a' },
        spec: { selector: { a: 'b' }, template: { metadata: { labels: { a: 'b' } }, spec: pod } },
      },
    ],
    selectors: ['status.replicas=0', 'status.replicas!=0', 'status.replicas=00', 'spec.replicas=1'],
  },
  replicasets: {
    collection: '/apis/apps/v1/namespaces/$ns/replicasets',
    objects: [],
    selectors: ['status.replicas=0', 'spec.replicas=0'],
  },
  jobs: {
    collection: '/apis/batch/v1/namespaces/$ns/jobs',
    objects: [{ metadata: { name: 'a' }, spec: { template: { spec: { ...pod, restartPolicy: 'Never' } } } }],
    selectors: ['status.successful=0', 'status.successful=1', 'status.succeeded=0', 'spec.completions=1'],
  },
  cronjobs: {
    collection: '/apis/batch/v1/namespaces/$ns/cronjobs',
    objects: [],
    selectors: ['spec.suspend=true'],
  },
  statefulsets: {
    collection: '/apis/apps/v1/namespaces/$ns/statefulsets',
    objects: [],
    selectors: ['metadata.successful=0', 'status.replicas=0'],
  },
  daemonsets: {
    collection: '/apis/apps/v1/namespaces/$ns/daemonsets',
    objects: [],
    selectors: ['status.numberReady=0'],
  },
  nodes: {
    collection: '/api/v1/nodes',
    objects: [],
    selectors: ['spec.unschedulable=true', 'spec.unschedulable=false', 'spec.podCIDR=x', 'status.phase='],
  },
  namespaces: {
    collection: '/api/v1/namespaces',
    objects: [],
    selectors: ['status.phase=None', 'name=$ns', 'metadata.name=$ns', 'metadata.namespace='],
  },
  persistentvolumes: {
    collection: '/api/v1/persistentvolumes',
    objects: [],
    selectors: ['name=x', 'status.phase=Bound', 'spec.claimRef.name=x'],
  },
  persistentvolumeclaims: {
    collection: `${core}/persistentvolumeclaims`,
    objects: [],
    selectors: ['name=x', 'status.phase=Bound', 'spec.volumeName=x'],
  },
  signing: {
    collection: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    objects: [],
    selectors: ['spec.signerName=x', 'spec.signerName!=x,metadata.name=y', 'status.certificate='],
  },
  slices: {
    collection: '/apis/resource.k8s.io/v1/resourceslices',
    objects: [],
    selectors: ['spec.nodeName=n', 'spec.driver=d', 'spec.pool.name=p', 'spec.nodeName=n,spec.driver=d'],
  },
  claims: {
    collection: '/apis/resource.k8s.io/v1/namespaces/$ns/resourceclaims',
    objects: [],
    selectors: ['metadata.name=a', 'status.allocation=x'],
  },
  definitions: {
    collection: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    objects: [],
    selectors: ['spec.group=x', 'metadata.name=a'],
  },
  leases: {
    collection: '/apis/coordination.k8s.io/v1/namespaces/$ns/leases',
    objects: [],
    selectors: ['spec.holderIdentity=x'],
  },
  endpointslices: {
    collection: '/apis/discovery.k8s.io/v1/namespaces/$ns/endpointslices',
    objects: [],
    selectors: ['addressType=IPv4'],
  },
  'trust-bundles': {
    collection: '/apis/certificates.k8s.io/v1beta1/clustertrustbundles',
    objects: [],
    selectors: ['spec.signerName=x'],
  },
};

const byKind = Object.entries(selected).map(
  ([name, { collection, objects, selectors }]): DifferentialCase => ({
    name: `by-field-${name}`,
    steps: [
      ...objects.map((object) => ask(`POST ${collection}`, object, { quiet: true })),
      ...selectors.flatMap((selector) => {
        const query = `fieldSelector=${encodeURIComponent(selector).replaceAll('%24', '$')}`;
        const pick = ['items.*.metadata.name', 'kind', 'status', 'reason', 'message', 'code', 'details'];
        return [
          ask(`GET ${collection}?${query}`, undefined, { pick }),
          ask(`DELETE ${collection}?dryRun=All&labelSelector=none&${query}`, undefined, { pick }),
        ];
      }),
      ask(`GET ${collection}?watch=1&timeoutSeconds=1&fieldSelector=no.such%3Da`, undefined),
      ask(`GET ${collection}/a?fieldSelector=no.such%3Da`, undefined, { pick: ['kind', 'message'] }),
    ],
  }),
);

const selectable = {
  name: 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            color: { type: 'string' },
            size: { type: 'integer' },
            on: { type: 'boolean' },
            deep: { type: 'object', properties: { er: { type: 'string', default: 'd' } } },
          },
        },
      },
    },
  },
  selectableFields: [
    { jsonPath: '.spec.color' },
    { jsonPath: '.spec.size' },
    { jsonPath: '.spec.on' },
    { jsonPath: '.spec.deep.er' },
  ],
};
const widget = (name: string, spec: object): Step =>
  ask(
    `POST ${widgets}`,
    { apiVersion: '$id.example.com/v1', kind: 'Widget', metadata: { name }, spec },
    { quiet: true },
  );

const ofCustomResources: DifferentialCase = {
  name: 'by-selectable-field',
  steps: [
    ...defined([selectable]),
    widget('a', { color: 'red', size: 3, on: true }),
    widget('b', { color: 'blue', size: -1, deep: {} }),
    widget('c', {}),
    ...[
      'spec.color=red',
      'spec.color!=red',
      'spec.color=',
      'spec.size=3',
      'spec.size=03',
      'spec.size=-1',
      'spec.on=true',
      'spec.on=false',
      'spec.on!=true',
      'spec.deep.er=d',
      'spec.deep.er=',
      'spec.none=x',
      'metadata.name=a,spec.color=red',
      'metadata.name=b,spec.color=red',
      '.spec.color=red',
      'spec.deep=x',
      'spec.color in (red)',
    ].map((selector) =>
      ask(`GET ${widgets}?fieldSelector=${encodeURIComponent(selector)}`, undefined, {
        pick: ['items.*.metadata.name', 'message', 'reason'],
      }),
    ),
    ask(`DELETE ${widgets}?fieldSelector=spec.color%3Dred`, undefined, {
      pick: ['items.*.metadata.name', 'status'],
    }),
    ask(`GET ${widgets}`, undefined, { pick: ['items.*.metadata.name'] }),
  ],
  cleanup: [withoutDefinition],
};

export const cases: readonly DifferentialCase[] = [...byKind, ofCustomResources];
