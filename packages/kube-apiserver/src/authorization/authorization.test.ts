import { ManualClock } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import { afterEach, describe, expect, test } from 'vitest';
import { startedServer, type StartedServer } from '../testing/started-server.ts';
import { readAbacPolicies } from './abac-policies.ts';
import { readAuthorizationConfiguration } from './authorization-configuration.ts';
import { plainAuthorizer, type ConfiguredAuthorizer, type WebhookSettings } from './configured-authorizer.ts';

let server: StartedServer;
afterEach(() => server?.stop());

const alice: UserInfo = { name: 'alice', groups: ['dev', 'system:authenticated'] };
const json = 'application/json';
const get = (path: string, user = alice) => server.send('GET', path, undefined, json, user);
const configMaps = '/api/v1/namespaces/default/configmaps';

const webhookSettings: WebhookSettings = {
  kubeConfigFile: 'k',
  timeoutMs: 3000,
  authorizedTtlMs: 10_000,
  unauthorizedTtlMs: 1000,
  subjectAccessReviewVersion: 'v1',
  failurePolicy: 'NoOpinion',
  matchConditions: [],
};

interface Review {
  readonly apiVersion: string;
  readonly spec: {
    readonly resourceAttributes?: Record<string, unknown>;
    readonly group?: readonly string[];
  };
}

/** A service that answers each review with `statusOf`, and the reviews that it received. */
function webhook(statusOf: (review: Review) => object | number) {
  const asked: Review[] = [];
  const connect = () => ({
    post: async (body: string) => {
      const review = JSON.parse(body) as Review;
      asked.push(review);
      const status = statusOf(review);
      return typeof status === 'number'
        ? { status, body: '{}' }
        : { status: 200, body: JSON.stringify({ ...review, status }) };
    },
  });
  return { asked, connect };
}

const withWebhook = (
  settings: Partial<WebhookSettings>,
  connect: ReturnType<typeof webhook>['connect'],
  clock?: ManualClock,
) =>
  startedServer({
    ...(clock && { clock }),
    authorization: {
      connect,
      authorizers: [
        { type: 'Webhook', name: 'w', webhook: { ...webhookSettings, ...settings } },
        plainAuthorizer('RBAC'),
      ],
    },
  });

test('no path is public by default: access to health checks is up to the authorizers', async () => {
  server = await startedServer({
    authorization: { connect: webhook(() => 500).connect, authorizers: [plainAuthorizer('AlwaysDeny')] },
  });
  for (const path of ['/healthz', '/livez', '/readyz']) expect((await get(path)).status).toBe(403);
});

describe('a webhook', () => {
  test('is asked once for the same request while the answer is cached', async () => {
    const clock = new ManualClock();
    const { asked, connect } = webhook(() => ({ allowed: true }));
    server = await withWebhook({}, connect, clock);

    const first = [await get(configMaps), await get(configMaps)];
    const askedBefore = asked.length;
    await clock.advance(10_001);
    await get(configMaps);

    expect(first.map(({ status }) => status)).toEqual([200, 200]);
    expect([askedBefore, asked.length]).toEqual([1, 2]);
    expect(asked[0]).toMatchObject({
      apiVersion: 'authorization.k8s.io/v1',
      spec: {
        user: 'alice',
        groups: ['dev', 'system:authenticated'],
        resourceAttributes: { namespace: 'default', verb: 'list', version: 'v1', resource: 'configmaps' },
      },
    });
  });

  test('receives the selectors of a list', async () => {
    const { asked, connect } = webhook(() => ({ allowed: true }));
    server = await withWebhook({ subjectAccessReviewVersion: 'v1beta1' }, connect);

    await get(`${configMaps}?labelSelector=a%3Db,!c&fieldSelector=metadata.name%3Dx`);

    expect(asked[0]!.apiVersion).toBe('authorization.k8s.io/v1beta1');
    expect(asked[0]!.spec.group).toEqual(['dev', 'system:authenticated']);
    expect(asked[0]!.spec.resourceAttributes).toMatchObject({
      fieldSelector: { requirements: [{ key: 'metadata.name', operator: 'In', values: ['x'] }] },
      labelSelector: {
        requirements: [
          { key: 'a', operator: 'In', values: ['b'] },
          { key: 'c', operator: 'DoesNotExist' },
        ],
      },
    });
  });

  test('that denies ends the matter, one without opinion leaves it to the next', async () => {
    const { connect } = webhook(({ spec }) =>
      spec.resourceAttributes?.['resource'] === 'secrets'
        ? { allowed: false, denied: true, reason: 'no secrets' }
        : {},
    );
    server = await withWebhook({}, connect);

    const denied = await get('/api/v1/namespaces/default/secrets');
    const left = await get(configMaps);

    expect(denied.body.message).toContain('in the namespace "default": no secrets');
    expect(left.status).toBe(403);
  });

  test.each([
    ['NoOpinion', 500],
    ['Deny', 500],
  ] as const)(
    'that answers with an error under %s keeps the server from deciding',
    async (failurePolicy, code) => {
      const { connect } = webhook(() => 400);
      server = await withWebhook({ failurePolicy }, connect);

      const answer = await get(configMaps);

      expect([answer.status, answer.text.slice(0, 24)]).toEqual([code, 'Internal Server Error: "']);
    },
  );

  test('isn’t asked about requests that its conditions exclude', async () => {
    const { asked, connect } = webhook(() => ({ allowed: true }));
    server = await withWebhook(
      {
        matchConditions: [
          "has(request.resourceAttributes) && request.resourceAttributes.resource == 'configmaps'",
          "'dev' in request.groups",
        ],
      },
      connect,
    );

    const answers = [
      await get(configMaps),
      await get('/api/v1/namespaces/default/pods'),
      await get('/metrics'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403]);
    expect(asked).toHaveLength(1);
  });
});

test('a new configuration holds at once, and one that can’t be used changes nothing', async () => {
  let exchange: ((authorizers: readonly ConfiguredAuthorizer[]) => void) | undefined;
  server = await startedServer({
    authorization: {
      authorizers: [plainAuthorizer('RBAC')],
      connect: () => {
        throw new Error('stat /nope: no such file or directory');
      },
      follow: (reported) => {
        exchange = reported;
        return () => undefined;
      },
    },
  });

  const before = await get(configMaps);
  exchange!([plainAuthorizer('AlwaysAllow')]);
  const after = await get(configMaps);

  expect([before.status, after.status]).toEqual([403, 200]);
  expect(() => exchange!([{ type: 'Webhook', name: 'w', webhook: webhookSettings }])).toThrow('stat /nope');
  expect((await get(configMaps)).status).toBe(200);
});

describe('ABAC', () => {
  const line = (spec: object) =>
    JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });

  test('allows requests that match a line of the file', async () => {
    const policies = readAbacPolicies(
      'p',
      [
        '# comment',
        line({ user: 'alice', namespace: 'default', resource: 'configmaps', apiGroup: '*', readonly: true }),
        line({ group: '*', nonResourcePath: '/version' }),
        '{"user":"bob"}',
      ].join('\n'),
    );
    const connect = () => {
      throw new Error('not asked');
    };
    server = await startedServer({
      authorization: { authorizers: [plainAuthorizer('ABAC')], policies, connect },
    });
    const bob: UserInfo = { name: 'bob', groups: [] };

    const read = await get(configMaps);
    const write = await server.send('POST', configMaps, { metadata: { name: 'a' } }, json, alice);
    const answers = [await get('/version'), await get('/version', bob), await get('/api/v1/pods', bob)];

    expect([read.status, write.status]).toEqual([200, 403]);
    expect(write.body.message).toContain('No policy matched.');
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test.each([
    [
      '{bad',
      "error reading policy file p, line 1: {bad: couldn't get version/kind; json parse error: invalid character 'b' looking for beginning of object key string",
    ],
    [
      '{"apiVersion":"x/v1","kind":"Policy"}',
      'no kind "Policy" is registered for version "x/v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
  ])('%s is refused', (text, message) => {
    expect(() => readAbacPolicies('p', text)).toThrow(message);
  });
});

describe('an AuthorizationConfiguration', () => {
  const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\n';
  const webhookText = (more: string) => `${head}authorizers:
- type: Webhook
  name: w
  webhook:
    timeout: 3s
    subjectAccessReviewVersion: v1
    matchConditionSubjectAccessReviewVersion: v1
    failurePolicy: Deny
    connectionInfo: {type: KubeConfigFile, kubeConfigFile: /k}
${more}- {type: RBAC, name: rbac}
`;

  test('says which authorizers there are, with the original’s defaults', () => {
    const read = readAuthorizationConfiguration(
      webhookText(
        '    cacheUnauthorizedRequests: false\n    matchConditions: [{expression: "request.user == \'a\'"}]\n',
      ),
      () => undefined,
    );

    expect(read).toEqual([
      {
        type: 'Webhook',
        name: 'w',
        webhook: {
          kubeConfigFile: '/k',
          timeoutMs: 3000,
          authorizedTtlMs: 300_000,
          unauthorizedTtlMs: 0,
          subjectAccessReviewVersion: 'v1',
          failurePolicy: 'Deny',
          matchConditions: ["request.user == 'a'"],
        },
      },
      { type: 'RBAC', name: 'rbac' },
    ]);
  });

  test.each([
    [
      `${head}authorizers: []\n`,
      'authorizers: Required value: at least one authorization mode must be defined',
    ],
    [
      `${head}authorizers: [{type: RBAC, name: foo}]\n`,
      'expected name rbac for authorizer RBAC instead of foo',
    ],
    [
      `${head}bogus: 1\nauthorizers: []\n`,
      'failed to load AuthorizationConfiguration from file: strict decoding error: unknown field "bogus"',
    ],
    [
      'apiVersion: v1\nkind: Foo\n',
      'no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      webhookText('    matchConditions: [{expression: "request.user"}]\n'),
      'Invalid value: "request.user": must evaluate to bool but got string',
    ],
    [
      webhookText('    matchConditions: [{expression: "request.nope"}]\n'),
      "compilation failed: ERROR: <input>:1:8: undefined field 'nope'",
    ],
    [
      webhookText('').replace('3s', '31s'),
      'authorizers[0].timeout: Invalid value: "31s": must be > 0s and <= 30s',
    ],
  ])('%j is refused', (text, message) => {
    expect(() => readAuthorizationConfiguration(text, () => undefined)).toThrow(message);
  });

  test('may not lose an authorizer while the server runs', () => {
    const text = `${head}authorizers: [{type: RBAC, name: rbac}]\n`;

    expect(() => readAuthorizationConfiguration(text, () => undefined, ['RBAC', 'Node'])).toThrow(
      'missing required types: [Node]',
    );
  });
});
