/** Requests for which the server asks a webhook or an aggregated server that lies, for `heavy-tenant.ts`. */
import type { Question } from './both-servers.ts';
import type { Mix } from './heavy-mixes.ts';

const post = (path: string, body: object): Question => ({ method: 'POST', path, body: JSON.stringify(body) });
const repeated = (clients: number, question: Question): Mix => ({ clients, question: () => question });

/** Replaced by the address and the certificate of the lying server. */
export const liar = { address: 'LIAR_ADDRESS', port: '77777', authority: 'TElBUg==' };

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { 'x-kubernetes-preserve-unknown-fields': true } },
  },
};

const converting = (
  clients: number,
  lie: string,
  count: number,
  question: (path: string) => Question,
): Mix => {
  const group = `${lie}${count}.example`;
  const path = `/apis/${group}/v2/namespaces/default/things`;
  return {
    ...repeated(clients, question(path)),
    before: [
      post(definitions, {
        metadata: { name: `things.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
          conversion: {
            strategy: 'Webhook',
            webhook: {
              conversionReviewVersions: ['v1'],
              clientConfig: { url: `${liar.address}/${lie}`, caBundle: liar.authority },
            },
          },
          versions: [
            { name: 'v1', served: true, storage: true, schema },
            { name: 'v2', served: true, storage: false, schema },
          ],
        },
      }),
      { method: 'GET', path: '/livez' },
      ...Array.from({ length: count }, (_, at) =>
        post(`/apis/${group}/v1/namespaces/default/things`, {
          apiVersion: `${group}/v1`,
          kind: 'Thing',
          metadata: { name: `one-${at}` },
          spec: {},
        }),
      ),
    ],
    settleMs: 500,
  };
};

const get = (path: string): Question => ({ method: 'GET', path });
const patch = (path: string): Question => ({
  method: 'PATCH',
  path: `${path}/one-0?dryRun=All`,
  type: 'application/merge-patch+json',
  body: '{"metadata":{"labels":{"a":"b"}}}',
});

const admitting = (lie: string, kind: 'mutating' | 'validating' = 'mutating'): Mix => ({
  ...repeated(
    40,
    post(`/api/v1/namespaces/lie-${lie}/configmaps?dryRun=All`, { metadata: { name: 'small' } }),
  ),
  before: [
    post('/api/v1/namespaces', { metadata: { name: `lie-${lie}`, labels: { lie } } }),
    post(`/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`, {
      metadata: { name: lie },
      webhooks: [
        {
          name: 'lie.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          timeoutSeconds: 5,
          clientConfig: { url: `${liar.address}/${lie}`, caBundle: liar.authority },
          namespaceSelector: { matchLabels: { lie } },
          rules: [
            { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] },
          ],
        },
      ],
    }),
  ],
  settleMs: 1_000,
});

const aggregated = (clients: number, group: string, question: Question): Mix => ({
  ...repeated(clients, question),
  before: [
    post('/api/v1/namespaces/default/services', {
      metadata: { name: 'liar' },
      spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port: Number(liar.port) }] },
    }),
    post('/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: `v1.${group}` },
      spec: {
        group,
        version: 'v1',
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 100,
        versionPriority: 100,
        service: { namespace: 'default', name: 'liar', port: Number(liar.port) },
      },
    }),
  ],
  settleMs: 3_000,
});

export const lyingMixes: Readonly<Record<string, Mix>> = {
  'convert-gets-40': converting(40, 'members', 1, (path) => get(`${path}/one-0`)),
  'convert-patches-40': converting(40, 'some', 1, patch),
  'convert-lists-20': converting(20, 'small', 1_000, get),
  'convert-large-lists-10': converting(10, 'numbers', 50, get),
  'convert-deep-40': converting(40, 'deep', 1, (path) => get(`${path}/one-0`)),
  'convert-deepest-40': converting(40, 'deepest', 1, (path) => get(`${path}/one-0`)),
  'convert-endless-40': converting(40, 'endless', 1, (path) => get(`${path}/one-0`)),
  'convert-bombs-40': converting(40, 'bomb', 1, (path) => get(`${path}/one-0`)),
  'convert-drips-400': converting(400, 'drip', 1, (path) => get(`${path}/one-0`)),
  'admit-copies-40': admitting('copies'),
  'admit-adds-40': admitting('adds'),
  'admit-tests-40': admitting('tests'),
  'admit-patches-40': admitting('patch'),
  'admit-short-40': admitting('short'),
  'admit-warnings-40': admitting('warnings'),
  'admit-annotations-40': admitting('annotations', 'validating'),
  'admit-refusals-40': admitting('refusal', 'validating'),
  'admit-nested-40': admitting('nested', 'validating'),
  'admit-drips-40': admitting('drip', 'validating'),
  'admit-endless-40': admitting('endless', 'validating'),
  'aggregated-documents-40': aggregated(40, 'lies.example', { method: 'GET', path: '/openapi/v2' }),
  'aggregated-discovery-40': aggregated(40, 'lies.example', {
    method: 'GET',
    path: '/apis',
    accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  }),
  'aggregated-drips-400': aggregated(400, 'lies.example', get('/apis/lies.example/v1/drip')),
  'aggregated-endless-10': aggregated(10, 'lies.example', get('/apis/lies.example/v1/endless')),
};
