/** What every verb and subresource answers to a client that asks for another form of the answer. */
import { ask, mergePatch, type DifferentialCase } from './case.ts';
import { customGroup, defined, widgets, withoutDefinition } from './definition.ts';
import type { Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';

const core = '/api/v1/namespaces/$ns';
const pods = `${core}/pods`;
const deployments = '/apis/apps/v1/namespaces/$ns/deployments';
const container = { name: 'c', image: 'i' };
const labels = { a: 'b' };

const forms = {
  table: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  'old-table': 'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
  'table-or-json': 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  'table-of-any': '*/*;as=Table;v=v1;g=meta.k8s.io',
  'yaml-table': 'application/yaml;as=Table;v=v1;g=meta.k8s.io',
  metadata: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'metadata-list': 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'unknown-form': 'application/json;as=Picture;v=v1;g=meta.k8s.io',
  'no-group': 'application/json;as=Table;v=v1',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  cbor: 'application/cbor',
  stream: 'application/json;stream=watch',
  text: 'text/plain',
  xml: 'text/xml',
  'any-text': 'text/*',
  'any-application': 'application/*',
} as const;

const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'd' }, spec: { replicas: 2 } };
const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };

const questions: Readonly<Record<string, Omit<Step, 'name'>>> = {
  log: ask(`GET ${pods}/p/log`),
  'log-missing': ask(`GET ${pods}/none/log?tailLines=x`),
  exec: ask(`GET ${pods}/p/exec?command=a`),
  'pod-proxy': ask(`GET ${pods}/p/proxy/x`),
  'service-proxy': ask(`GET ${core}/services/none/proxy/x`),
  'node-proxy': ask('GET /api/v1/nodes/none/proxy/x'),
  'pod-status': ask(`GET ${pods}/p/status`, undefined, {
    pick: ['kind', 'message', 'columnDefinitions.*.name'],
  }),
  'pod-resize': ask(`GET ${pods}/p/resize`, undefined, {
    pick: ['kind', 'message', 'columnDefinitions.*.name'],
  }),
  'pod-ephemeral': ask(`GET ${pods}/p/ephemeralcontainers`, undefined, { pick: ['kind', 'message'] }),
  binding: ask(`POST ${pods}/none/binding?dryRun=All`, { target: { kind: 'Node', name: 'n' } }),
  eviction: ask(`POST ${pods}/p/eviction?dryRun=All`, { metadata: { name: 'p' } }),
  'scale-get': ask(`GET ${deployments}/d/scale`),
  'scale-put': ask(`PUT ${deployments}/d/scale?dryRun=All`, scale),
  'scale-patch': ask(`PATCH ${deployments}/d/scale?dryRun=All`, { spec: { replicas: 3 } }, mergePatch),
  'deployment-status': ask(`GET ${deployments}/d/status`, undefined, {
    pick: ['kind', 'message', 'rows.*.cells'],
  }),
  'status-patch': ask(
    `PATCH ${deployments}/d/status?dryRun=All`,
    { status: { replicas: 1 } },
    { ...mergePatch, pick: ['kind', 'message', 'rows.*.cells'] },
  ),
  token: ask(
    `POST ${core}/serviceaccounts/s/token?dryRun=All`,
    { spec: { expirationSeconds: 600 } },
    { pick: ['kind', 'message', 'columnDefinitions'] },
  ),
  finalize: ask(
    'PUT /api/v1/namespaces/$ns/finalize?dryRun=All',
    { metadata: { name: '$ns' }, spec: { finalizers: ['kubernetes'] } },
    { pick: ['kind', 'message', 'columnDefinitions.*.name'] },
  ),
  'access-review': ask('POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review),
  'rules-review': ask(
    'POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
    { spec: {} },
    { pick: ['kind', 'message'] },
  ),
  'token-review': ask('POST /apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'x' } }),
  'self-review': ask(
    'POST /apis/authentication.k8s.io/v1/selfsubjectreviews',
    {},
    { pick: ['kind', 'message', 'columnDefinitions.*.name', 'rows.*.cells'] },
  ),
  delete: ask(`DELETE ${core}/configmaps/a?dryRun=All`),
  'delete-pod': ask(`DELETE ${pods}/p?dryRun=All`, undefined, { pick: ['kind', 'message'] }),
  'delete-all': ask(`DELETE ${core}/configmaps?dryRun=All&labelSelector=x`, undefined, {
    pick: ['kind', 'message', 'items'],
  }),
  'empty-list': ask(`GET ${core}/limitranges`, undefined, { pick: ['kind', 'message', 'items', 'rows'] }),
  watch: ask(`GET ${core}/configmaps?watch=true&resourceVersion=x`),
  missing: ask(`GET ${core}/configmaps/none`),
  'no-resource': ask(`GET ${core}/nothings`),
  'no-group': ask('GET /apis/nothing.example.com/v1'),
  forbidden: ask(`GET ${core}/secrets`, undefined, { as: 'alice' }),
  unauthorized: ask(`GET ${core}/secrets`, undefined, { as: 'badtoken' }),
  method: ask(`PUT ${core}/configmaps`, {}),
  'bad-body': ask(`POST ${core}/configmaps`, 'not json'),
  invalid: ask(`POST ${core}/configmaps`, { metadata: { name: 'A_B' } }),
  components: ask('GET /api/v1/componentstatuses/etcd-0', undefined, {
    pick: ['kind', 'message', 'columnDefinitions.*.name'],
  }),
  health: ask('GET /livez/ping'),
  version: ask('GET /version', undefined, { pick: ['message', 'major'] }),
  groups: ask('GET /apis/apps'),
  resources: ask('GET /apis/node.k8s.io/v1', undefined, { pick: ['kind', 'message', 'groupVersion'] }),
  index: ask('GET /', undefined, { quiet: true }),
  issuer: ask('GET /.well-known/openid-configuration', undefined, { quiet: true }),
  keys: ask('GET /openid/v1/jwks', undefined, { quiet: true }),
};

const custom: Readonly<Record<string, Omit<Step, 'name'>>> = {
  object: ask(`GET ${widgets}/w`, undefined, { pick: ['kind', 'message', 'rows.*.cells'] }),
  list: ask(`GET ${widgets}`, undefined, { pick: ['kind', 'message', 'rows.*.cells'] }),
  status: ask(`GET ${widgets}/w/status`, undefined, { pick: ['kind', 'message', 'rows.*.cells'] }),
  'status-patch': ask(
    `PATCH ${widgets}/w/status?dryRun=All`,
    { status: { a: 1 } },
    { ...mergePatch, pick: ['kind', 'message', 'rows.*.cells'] },
  ),
  scale: ask(`GET ${widgets}/w/scale`),
  'scale-patch': ask(`PATCH ${widgets}/w/scale?dryRun=All`, { spec: { replicas: 3 } }, mergePatch),
  patch: ask(
    `PATCH ${widgets}/w?dryRun=All`,
    { spec: { a: 1 } },
    { ...mergePatch, pick: ['kind', 'message', 'rows.*.cells'] },
  ),
  delete: ask(`DELETE ${widgets}/w?dryRun=All`),
  'delete-all': ask(`DELETE ${widgets}?dryRun=All`, undefined, { pick: ['kind', 'message', 'rows.*.cells'] }),
  watch: ask(`GET ${widgets}?watch=true&resourceVersion=x`),
  missing: ask(`GET ${widgets}/none`),
  resources: ask(`GET /apis/${customGroup}/v1`, undefined, { pick: ['kind', 'message'] }),
  group: ask(`GET /apis/${customGroup}`),
};

const inEachForm = (all: Readonly<Record<string, Omit<Step, 'name'>>>, accept: string): Step[] =>
  Object.entries(all).map(([name, step]) => ({
    ...step,
    name,
    accept,
    // As text, it would show the words that columns are described in.
    ...(accept === forms['yaml-table'] && { quiet: true }),
  }));

const made = [
  ask(`POST ${core}/configmaps`, { metadata: { name: 'a' } }, { quiet: true }),
  ask(`POST ${pods}`, { metadata: { name: 'p' }, spec: { containers: [container] } }, { quiet: true }),
  ask(`POST ${core}/serviceaccounts`, { metadata: { name: 's' } }, { quiet: true }),
  ask(
    `POST ${deployments}`,
    {
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    },
    { quiet: true },
  ),
];
const scaled = {
  name: 'v1',
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  subresources: {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  },
};

export const cases: readonly DifferentialCase[] = Object.entries(forms).flatMap(([form, accept]) => [
  { name: `${form}-of-built-in`, steps: [...made, ...inEachForm(questions, accept)] },
  {
    name: `${form}-of-custom`,
    steps: [
      ...defined([scaled]),
      ask(
        `POST ${widgets}`,
        { apiVersion: `${customGroup}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { replicas: 1 } },
        { quiet: true },
      ),
      ...inEachForm(custom, accept),
    ],
    cleanup: [withoutDefinition],
  },
]);
