import type { StepDetail, StepObserver } from '@coxswain/apimachinery';
import { AllowanceSpent, WorkAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import { keptBody, ReadRequest } from '@coxswain/apiserver/http/read-request.ts';
import type { ServeSomewhere } from '@coxswain/apiserver/services/services.ts';
import { afterEach, expect, test } from 'vitest';
import type { AssemblyOptions } from '../../server/options.ts';
import {
  patched,
  playedWebhooks,
  reviewed,
  type PlayedWebhook,
  type PlayedWebhooks,
} from '../../testing/played-webhooks.ts';
import { startedServer, type StartedServer } from '../../testing/started-server.ts';

let server: StartedServer;
let hooks: PlayedWebhooks;
afterEach(() => server.stop());

const registration = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';

const hook = (path: string, more: object = {}) => ({
  name: `${path}.hooks.test`,
  clientConfig: { url: `https://hooks.test/${path}` },
  rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...more,
});

async function serving(
  played: Readonly<Record<string, PlayedWebhook>>,
  configured: { readonly mutating?: readonly object[]; readonly validating?: readonly object[] },
  options: Partial<AssemblyOptions> = {},
): Promise<void> {
  hooks = playedWebhooks(played);
  server = await startedServer({ webhookCaller: () => hooks, ...options });
  for (const [kind, webhooks] of Object.entries(configured)) {
    const path = `${registration}/${kind}webhookconfigurations`;
    const { status, text } = await server.send('POST', path, { metadata: { name: 'hooks' }, webhooks });
    expect(status, text).toBe(201);
  }
}

const create = (data: object, labels: object = {}, query = '') =>
  server.send('POST', `${configMaps}${query}`, { metadata: { name: 'a', labels }, data });

test('a webhook that says no refuses the write with its own code and reason', async () => {
  const status = { code: 409, reason: 'Busy', message: 'later' };
  await serving(
    { '/no': (review) => reviewed(review, { allowed: false, status }) },
    { validating: [hook('no')] },
  );
  const { body } = await create({});
  expect(body).toMatchObject({
    code: 409,
    reason: 'Busy',
    message: 'admission webhook "no.hooks.test" denied the request: later',
  });
});

test("an observer of a write sees the webhook's request and response", async () => {
  const reported: StepDetail[] = [];
  const observer: StepObserver = { begin: () => undefined, note: (values) => void reported.push(values) };
  await serving(
    { '/no': (review) => reviewed(review, { allowed: false, status: { message: 'later' } }) },
    { validating: [hook('no')] },
    { observer },
  );
  await create({ own: 'x' });
  await server.send('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 's' }, data: {} });

  expect(JSON.parse(JSON.stringify(reported.filter(({ verdict }) => verdict === 'refused')))).toMatchObject([
    { request: { request: { object: { data: { own: 'x' } } } }, response: { response: { allowed: false } } },
    { request: '***', response: '***' },
  ]);
});

test('a webhook that fails refuses the write, unless its failures are ignored', async () => {
  await serving({ '/odd': () => 'nothing' }, { validating: [hook('odd')] });
  const { body } = await create({});
  expect(body.message).toMatch(/^Internal error occurred: failed calling webhook "odd.hooks.test": /);
  await server.stop();
  await serving({ '/odd': () => 'nothing' }, { validating: [hook('odd', { failurePolicy: 'Ignore' })] });
  expect((await create({})).status).toBe(201);
  expect(hooks.asked['/odd']).toHaveLength(1);
});

test("each webhook sees the previous one's patch, and the final result is stored", async () => {
  const adding =
    (key: string): PlayedWebhook =>
    (review) =>
      patched(review, [{ op: 'add', path: `/data/${key}`, value: 'yes' }]);
  await serving({ '/one': adding('one'), '/two': adding('two') }, { mutating: [hook('one'), hook('two')] });
  const { body } = await create({ own: 'x' });
  expect(body).toMatchObject({ data: { own: 'x', one: 'yes', two: 'yes' } });
  expect(hooks.asked['/two']![0]!.request.object).toMatchObject({ data: { one: 'yes' } });
});

test('a webhook is reinvoked if it wants to be and a later one changed the object', async () => {
  const once: PlayedWebhook = (review) => patched(review, [{ op: 'add', path: '/data/later', value: 'yes' }]);
  await serving(
    { '/first': (review) => reviewed(review), '/later': once },
    { mutating: [hook('first', { reinvocationPolicy: 'IfNeeded' }), hook('later')] },
  );
  await create({ own: 'x' });
  expect(hooks.asked['/first']).toHaveLength(2);
  expect(hooks.asked['/later']).toHaveLength(1);
});

test('a patch that doesn’t fit is an error of the server', async () => {
  await serving(
    { '/patch': (review) => patched(review, [{ op: 'remove', path: '/data/none' }]) },
    { mutating: [hook('patch')] },
  );
  expect((await create({ own: 'x' })).body).toMatchObject({
    code: 500,
    message:
      "Internal error occurred: error in remove for path: '/data/none': Unable to remove nonexistent key: none: missing value",
  });
});

test('selectors and conditions exclude a webhook', async () => {
  const matchConditions = [{ name: 'small', expression: '!has(object.data) || object.data.size() < 2' }];
  await serving(
    { '/no': (review) => reviewed(review, { allowed: false }) },
    {
      validating: [
        hook('no', {
          objectSelector: { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] },
          matchConditions,
        }),
      ],
    },
  );
  expect((await create({})).status).toBe(400);
  expect((await create({ a: '1', b: '2' }, {}, '?dryRun=All')).status).toBe(201);
  expect((await create({}, { skip: '' }, '?dryRun=All')).status).toBe(201);
});

test('a webhook is informed of a dry run', async () => {
  await serving(
    { '/effects': (review) => reviewed(review) },
    { validating: [hook('effects', { sideEffects: 'NoneOnDryRun' })] },
  );
  expect((await create({}, {}, '?dryRun=All')).status).toBe(201);
  expect(hooks.asked['/effects']![0]!.request.options).toEqual({
    kind: 'CreateOptions',
    apiVersion: 'meta.k8s.io/v1',
    dryRun: ['All'],
  });
});

test('a rule matches equivalent versions, and the webhook gets the object in its version', async () => {
  const rules = [
    {
      apiGroups: ['autoscaling'],
      apiVersions: ['v1'],
      operations: ['CREATE'],
      resources: ['horizontalpodautoscalers'],
    },
  ];
  await serving(
    { '/seen': (review) => patched(review, [{ op: 'add', path: '/spec/minReplicas', value: 2 }]) },
    { mutating: [hook('seen', { rules })] },
  );
  const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
  const { body } = await server.send('POST', path, {
    metadata: { name: 'h' },
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
  });
  expect(hooks.asked['/seen']![0]!.request.kind).toEqual({
    group: 'autoscaling',
    version: 'v1',
    kind: 'HorizontalPodAutoscaler',
  });
  expect(body).toMatchObject({ apiVersion: 'autoscaling/v2', spec: { minReplicas: 2 } });
});

test('webhook configurations are exempt from webhooks', async () => {
  await serving(
    { '/no': (review) => reviewed(review, { allowed: false }) },
    { validating: [hook('no')], mutating: [hook('no')] },
  );
  const { status } = await server.send('DELETE', `${registration}/validatingwebhookconfigurations/hooks`);
  expect(status).toBe(200);
});

test('owners that a webhook made unreadable stay as they were', async () => {
  const value = [{ manager: 'x', operation: 'Odd' }];
  await serving(
    { '/owners': (review) => patched(review, [{ op: 'add', path: '/metadata/managedFields', value }]) },
    { mutating: [hook('owners')] },
  );
  const { status, body } = await create({ own: 'x' });
  expect(status).toBe(201);
  expect(body.metadata).toMatchObject({ managedFields: [{ operation: 'Update' }] });
});

test('lists that came empty are empty in a review, where answers have null', async () => {
  await serving({ '/see': (review) => reviewed(review) }, { validating: [hook('see')] });
  const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  const { body } = await server.send('POST', roles, { metadata: { name: 'none' }, rules: [] });
  expect(body).toMatchObject({ rules: null });
  expect(hooks.asked['/see']![0]!.request.object).toMatchObject({ rules: [] });
});

test('the review of an eviction has its managed fields', async () => {
  await serving({ '/see': (review) => reviewed(review) }, { validating: [hook('see')] });
  const pods = '/api/v1/namespaces/default/pods';
  await server.send('POST', pods, {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  const { status } = await server.send('POST', `${pods}/p/eviction`, {
    metadata: { name: 'p' },
    deleteOptions: { gracePeriodSeconds: 3 },
  });
  expect(status).toBe(201);
  expect(hooks.asked['/see']!.map(({ request }) => request.object)).toContainEqual(
    expect.objectContaining({
      metadata: expect.objectContaining({
        managedFields: [
          expect.objectContaining({
            apiVersion: 'policy/v1',
            subresource: 'eviction',
            fieldsV1: { 'f:deleteOptions': { '.': {}, 'f:gracePeriodSeconds': {} } },
          }),
        ],
      }),
    }),
  );
});

test('a large answer is decoded in another thread, which asks again', async () => {
  const elsewhere: string[] = [];
  const serveSomewhere: ServeSomewhere = async (request, _route, _step, here) => {
    request.incoming = new ReadRequest(request.incoming, keptBody(request.incoming.body));
    request.allowance = new WorkAllowance({ monotonic: () => 0 }, 1, 100_000);
    try {
      return await here();
    } catch (failure) {
      if (!(failure instanceof AllowanceSpent)) throw failure;
      elsewhere.push(request.info.name);
      request.allowance = undefined;
      return here();
    }
  };
  const workers = {
    serveSomewhere: () => serveSomewhere,
    reform: undefined as never,
    refuseWaiting: () => undefined,
    stop: async () => undefined,
  };
  const long = 'x'.repeat(200_000);
  await serving(
    {
      '/long': (review) => patched(review, [{ op: 'add', path: '/data/long', value: long }]),
      '/wordy': (review) => reviewed(review, { allowed: true, auditAnnotations: { long } }),
    },
    {
      mutating: [hook('long', { rules: ruleFor('configmaps') })],
      validating: [hook('wordy', { rules: ruleFor('secrets') })],
    },
    { workers },
  );
  elsewhere.length = 0;

  expect((await create({ own: 'x' })).body).toMatchObject({ data: { own: 'x', long } });
  const secrets = '/api/v1/namespaces/default/secrets';
  expect((await server.send('POST', secrets, { metadata: { name: 's' } })).status).toBe(201);
  expect(hooks.asked['/long']).toHaveLength(2);
  expect(hooks.asked['/wordy']).toHaveLength(2);
  expect(elsewhere).toHaveLength(2);
});

const ruleFor = (resource: string): readonly object[] => [
  { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] },
];
