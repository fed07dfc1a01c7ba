/** Tokens that join nodes: their signatures under the cluster's description, and their end. */
import type { JsonObject, Scenario, Step } from '../scenario.ts';
import { wait } from './building.ts';

const map = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
const secrets = '/api/v1/namespaces/kube-system/secrets';
const description: Step = {
  req: 'POST /api/v1/namespaces/kube-public/configmaps',
  body: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'cluster-info' },
    data: { kubeconfig: 'apiVersion: v1\nkind: Config\n' },
  },
};
const token = (id: string, stringData: JsonObject = {}, metadata: JsonObject = {}): Step => ({
  req: `POST ${secrets}`,
  body: {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'bootstrap.kubernetes.io/token',
    metadata: { name: `bootstrap-token-${id}`, ...metadata },
    stringData: {
      'token-id': id,
      'token-secret': '0123456789abcdef',
      'usage-bootstrap-signing': 'true',
      ...stringData,
    },
  },
});
const seen = (name: string): Step => ({ name, every: 1300, snapshot: [map, secrets] });
const alone = (name: string, ...steps: Step[]): Scenario => ({ name, cluster: true, alone: true, steps });
const end = (...ids: string[]): Step[] => [
  ...ids.map((id) => ({ req: `DELETE ${secrets}/bootstrap-token-${id}` })),
  { req: `DELETE ${map}` },
];

export const bootstrapTokenScenarios: readonly Scenario[] = [
  alone(
    'token-before-description',
    token('aaaaaa'),
    wait(500),
    description,
    wait(800),
    seen('signed'),
    ...end('aaaaaa'),
  ),
  alone(
    'tokens-not-for-signing',
    description,
    token('aaaaaa', { 'usage-bootstrap-signing': 'false' }),
    token('bbbbbb', { 'usage-bootstrap-signing': '' }),
    token('cccccc', { 'token-id': 'dddddd' }),
    token('eeeeee', { 'token-secret': '' }),
    wait(800),
    seen('unsigned'),
    ...end('aaaaaa', 'bbbbbb', 'cccccc', 'eeeeee'),
  ),
  alone(
    'tokens-expire',
    description,
    token('aaaaaa', { expiration: '2020-01-01T00:00:00Z' }),
    token('bbbbbb', { expiration: '2099-01-01T00:00:00Z' }),
    token('cccccc', { expiration: 'some day' }),
    wait(1500),
    seen('left'),
    ...end('aaaaaa', 'bbbbbb', 'cccccc'),
  ),
  alone(
    'description-changed',
    description,
    token('aaaaaa'),
    wait(800),
    {
      req: `PATCH ${map}`,
      body: { data: { kubeconfig: 'other', 'jws-kubeconfig-zzzzzz': 'stale', more: 'x' } },
    },
    wait(800),
    seen('signed again'),
    { req: `PATCH ${map}`, body: { data: { kubeconfig: null } } },
    wait(800),
    seen('without kubeconfig'),
    ...end('aaaaaa'),
  ),
  alone(
    'token-of-other-type-or-name',
    description,
    {
      ...token('aaaaaa'),
      body: {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'bootstrap-token-aaaaaa' },
        stringData: {
          'token-id': 'aaaaaa',
          'token-secret': '0123456789abcdef',
          'usage-bootstrap-signing': 'true',
        },
      },
    },
    { ...token('bbbbbb', {}, { name: 'other-name' }) },
    wait(800),
    seen('unsigned'),
    { req: `DELETE ${secrets}/other-name` },
    ...end('aaaaaa'),
  ),
  alone(
    'token-secret-changed',
    description,
    token('aaaaaa'),
    wait(800),
    {
      req: `PATCH ${secrets}/bootstrap-token-aaaaaa`,
      body: { stringData: { 'usage-bootstrap-signing': 'no' } },
    },
    wait(800),
    seen('unsigned'),
    ...end('aaaaaa'),
  ),
];
