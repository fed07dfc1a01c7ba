/** What `coxswain routes` says about a request is what a recording of that request shows. */
import type { Recorder } from '@coxswain/trace/recorder.ts';
import type { Step } from '@coxswain/trace/recording.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startCluster, type Cluster } from '../cluster/cluster.ts';
import { boats } from './boats.fixture.ts';
import { nodePlaces } from './node-places.ts';
import { nodeRecorder } from './node-recorder.ts';
import { routeFacts, type RouteFacts } from './route-facts.ts';

let cluster: Cluster;
let recorder: Recorder;

beforeAll(async () => {
  recorder = nodeRecorder();
  cluster = await startCluster({
    nodes: 0,
    controllers: [],
    scheduler: false,
    servesMetrics: true,
    observer: recorder.observer,
    runtimeConfig: 'api/legacy=true',
  });
  const client = cluster.client();
  await client.resource('v1', 'serviceaccounts').namespace('default').create(account);
  await client.resource('apiextensions.k8s.io/v1', 'customresourcedefinitions').create(boats);
  await vi.waitFor(async () => expect((await send('GET', boatsPath, undefined)).status).toBe(200));
  for (const [path, body] of prepared) expect((await send('POST', path, body)).status).toBe(201);
});
afterAll(() => cluster.stop());

const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };

const core = '/api/v1/namespaces/default';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const boatsPath = '/apis/example.com/v1/namespaces/default/boats';
const ingresses = '/apis/extensions/v1beta1/namespaces/default/ingresses';

const metadata = { name: 'web' };
const container = { name: 'c', image: 'nginx' };
const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [container] } };
const boat = { apiVersion: 'example.com/v1', kind: 'Boat', metadata };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata,
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
  },
};
const backend = { serviceName: 'web', servicePort: 80 };
const ingress = { apiVersion: 'extensions/v1beta1', kind: 'Ingress', metadata, spec: { backend } };
const autoscaler = {
  apiVersion: 'autoscaling/v1',
  kind: 'HorizontalPodAutoscaler',
  metadata,
  spec: { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' } },
};
const review = {
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
};
const service = { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }] } };
const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: 'n' } };
const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata };
const labels = { metadata: { labels: { a: 'b' } } };

/** Objects that later requests read and change. */
const prepared: readonly (readonly [path: string, body: object])[] = [
  [`${core}/pods`, pod],
  [deployments, deployment],
  [boatsPath, boat],
];

const named = (object: object, name: string): object => ({ ...object, metadata: { name } });

async function send(method: string, path: string, body: unknown): Promise<{ readonly status: number }> {
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers: Readonly<Record<string, string>> = body === undefined ? {} : { 'content-type': contentType };
  const answer = await cluster.client().rest.transport.send({
    method,
    path,
    headers,
    ...(body !== undefined && { body: new TextEncoder().encode(JSON.stringify(body)) }),
  });
  await answer.bytes();
  return answer;
}

test.each<[method: string, target: string, body?: object]>([
  ['GET', `${core}/pods/web`],
  ['GET', '/api/v1/pods?limit=1'],
  ['POST', `${core}/pods?dryRun=All`, named(pod, 'tried')],
  ['POST', `${core}/services`, service],
  ['PATCH', `${core}/pods/web`, labels],
  ['PATCH', `${core}/pods/web/status`, { status: { message: 'x' } }],
  ['POST', `${core}/pods/web/binding`, binding],
  ['POST', `${core}/pods/web/eviction?dryRun=All`, eviction],
  ['POST', `${core}/serviceaccounts/default/token`, token],
  ['GET', `${deployments}/web/scale`],
  ['PATCH', `${deployments}/web/scale`, { spec: { replicas: 2 } }],
  ['PUT', `${deployments}/web`, deployment],
  ['PATCH', `${deployments}/web/status`, { status: { replicas: 1 } }],
  ['POST', '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers', autoscaler],
  ['GET', '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers/web'],
  ['POST', ingresses, ingress],
  ['GET', ingresses],
  ['POST', boatsPath, named(boat, 'other')],
  ['PATCH', `${boatsPath}/web`, labels],
  ['PATCH', `${boatsPath}/web/status`, { status: { afloat: true } }],
  ['GET', `${boatsPath}/web/status`],
  ['DELETE', `${boatsPath}/other`],
  ['GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.example.com'],
  ['GET', '/apis/apiregistration.k8s.io/v1/apiservices'],
  ['GET', '/apis/metrics.k8s.io/v1beta1/nodes'],
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review],
  ['GET', '/healthz'],
  ['GET', '/version'],
  ['GET', '/openapi/v2?timeout=1s'],
  ['POST', `${deployments}/web`, deployment],
  ['GET', '/nope'],
  ['DELETE', `${core}/pods/web?gracePeriodSeconds=0`],
])('%s %s', async (method, target, body) => {
  const facts = await routeFacts(cluster.apiServer, nodePlaces(), method, target);
  const part = recorder.fromNow();
  const { status } = await send(method, target, body);
  const request = part.soFar().undertakings.find(({ name }) => name === `${method} ${target}`);

  const steps = [...all(request!.steps)];
  expect(facts.refusal === undefined ? 200 : Number(facts.refusal.slice(0, 3))).toBe(
    status < 300 ? 200 : status,
  );
  expect(steps.filter(({ file }) => file.includes('/filters/')).map(placed)).toEqual(
    facts.filters.map(({ place, function: name }) => `${name} ${place}`),
  );
  const servers = namesFrom(steps, 'server/').map((name) => name.slice('server/'.length));
  expect(facts.servers.slice(0, servers.length)).toEqual(servers);
  expect(steps.find(({ name }) => name === 'request-info')?.values?.['verb']).toBe(facts.verb);
  if (facts.refusal !== undefined) return;
  const handler = steps.find(({ name }) => name.startsWith('handler/'));
  expect(handler && placed(handler)).toBe(ofPart(facts, 'handler')[0]);
  for (const phase of ['mutate', 'validate'] as const) {
    const run = steps.filter(({ name }) => name.startsWith(`admission/${phase}/`)).map(placed);
    if (run.length > 0) expect(run).toEqual(ofPart(facts, `admission, ${phase}`));
  }
  const rules = steps.filter(isOfRules).map(placed);
  expect(rules.filter((rule) => !ofPart(facts, 'validation').includes(rule))).toEqual([]);
  const keys = steps.flatMap(({ name, values }) => (name === 'storage.transact' ? [values?.['key']] : []));
  for (const key of keys) expect(String(key)).toMatch(new RegExp(`^${facts.storageKey}`));
});

function* all(steps: readonly Step[]): Generator<Step> {
  for (const step of steps) {
    yield step;
    yield* all(step.steps);
  }
}

/** A kind without rules of its own is validated where its metadata is. */
const isOfRules = ({ name, file }: Step): boolean =>
  name === 'validate' && !file.endsWith('/registry/before-write.ts');

const placed = ({ function: name, file, line }: Step): string => `${name} ${file}:${line}`;

const namesFrom = (steps: readonly Step[], start: string): readonly string[] =>
  steps.flatMap(({ name }) => (name.startsWith(start) ? [name] : []));

const ofPart = ({ parts }: RouteFacts, wanted: string): readonly string[] =>
  parts.flatMap(({ part, function: name, place }) => (part === wanted ? [`${name} ${place}`] : []));
