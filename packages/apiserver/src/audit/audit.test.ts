import { ManualClock } from '@coxswain/apimachinery';
import { describe, expect, test } from 'vitest';
import { ConfigMap } from '@coxswain/api/core/v1/config-map.ts';
import type { UserInfo } from '../user.ts';
import { inMemoryApi } from '../testing/in-memory-api.ts';
import { copyOfEvent, type AuditBackend, type AuditEvent } from './audit-event.ts';
import type { AuditSetup } from './audit-setup.ts';
import { eventLine } from './event-json.ts';
import type { AuditPolicyRule } from './policy/audit-policy.ts';

interface Line {
  readonly stage: string;
  readonly level: string;
  readonly [member: string]: unknown;
}

/** An API server that audits by these rules, and the lines that it has logged. */
function auditedApi(rules: readonly Partial<AuditPolicyRule>[], more: Partial<AuditSetup['policy']> = {}) {
  const lines: Line[] = [];
  const backend: AuditBackend = {
    name: 'test',
    process(events) {
      lines.push(...events.map((event) => JSON.parse(eventLine(event)) as Line));
      return true;
    },
    flush: () => Promise.resolve(),
  };
  const policy = { rules, ...more } as AuditSetup['policy'];
  const api = inMemoryApi({ resources: [{ kind: ConfigMap }], audit: { policy, backend: () => backend } });
  return { api, lines };
}

const path = '/api/v1/namespaces/default/configmaps';
const one = { metadata: { name: 'a' }, data: { password: 'do not tell' } };

describe('levels', () => {
  test('level Metadata records neither request nor response bodies', async () => {
    const { api, lines } = auditedApi([{ level: 'Metadata' }]);
    await api.request('POST', path, one);
    await api.request(
      'PATCH',
      `${path}/a`,
      { data: { password: 'do not tell' } },
      {
        'content-type': 'application/merge-patch+json',
      },
    );
    await api.request('GET', path);
    expect(lines).toHaveLength(6);
    expect(JSON.stringify(lines)).not.toContain('do not tell');
    expect(lines[1]).toMatchObject({
      level: 'Metadata',
      stage: 'ResponseComplete',
      verb: 'create',
      user: { username: 'tester' },
      objectRef: { resource: 'configmaps', namespace: 'default', name: 'a', apiVersion: 'v1' },
      responseStatus: { metadata: {}, code: 201 },
      annotations: { 'authorization.k8s.io/decision': 'allow' },
    });
  });

  test('level Request records the body as sent, RequestResponse also the response', async () => {
    const { api, lines } = auditedApi([
      { level: 'Request', verbs: ['create'] },
      { level: 'RequestResponse' },
    ]);
    await api.request('POST', path, one);
    await api.request('GET', `${path}/a`);
    expect(lines[1]!['requestObject']).toEqual({ kind: 'ConfigMap', apiVersion: 'v1', ...one });
    expect(lines[1]).not.toHaveProperty('responseObject');
    expect(lines[3]!['responseObject']).toMatchObject({ kind: 'ConfigMap', data: one.data });
  });

  test.each([
    ['application/json', '{"kind":"DeleteOptions","apiVersion":"v1"}'],
    ['application/yaml', 'kind: DeleteOptions\napiVersion: v1\n'],
    ['application/vnd.kubernetes.protobuf', Buffer.from('azhzAAoTCgJ2MRINRGVsZXRlT3B0aW9ucxIA', 'base64')],
  ])('options of a deletion are recorded as %s brings them', async (type, body) => {
    const { api, lines } = auditedApi([{ level: 'Request', verbs: ['delete'] }]);
    await api.request('POST', path, one);
    await api.request('DELETE', `${path}/a`, body, { 'content-type': type });
    const options = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal' };
    expect(lines.at(-1)!['requestObject']).toEqual(options);
  });

  test('requests that no rule matches are not audited', async () => {
    const { api, lines } = auditedApi([{ level: 'Metadata', users: ['somebody else'] }]);
    await api.request('GET', path);
    expect(lines).toEqual([]);
  });

  test('managed fields are omitted if the policy says so', async () => {
    const { api, lines } = auditedApi([{ level: 'RequestResponse' }], { omitManagedFields: true });
    await api.request('POST', path, one);
    const { metadata } = lines[1]!['responseObject'] as { metadata: object };
    expect(metadata).not.toHaveProperty('managedFields');
  });
});

describe('stages', () => {
  test('a failed request is recorded with its Status', async () => {
    const { api, lines } = auditedApi([{ level: 'Metadata' }]);
    await api.request('GET', `${path}/none`);
    expect(lines[1]!['responseStatus']).toEqual({
      metadata: {},
      status: 'Failure',
      message: 'configmaps "none" not found',
      reason: 'NotFound',
      details: { name: 'none', kind: 'configmaps' },
      code: 404,
    });
  });

  test('a watch is recorded when its response starts and when it ends', async () => {
    const { api, lines } = auditedApi([{ level: 'Metadata' }]);
    await api.request('POST', path, one);
    await api.watchLines(`${path}?watch=true`, 1);
    expect(lines.slice(2).map(({ stage }) => stage)).toEqual([
      'RequestReceived',
      'ResponseStarted',
      'ResponseComplete',
    ]);
  });

  test('stages that a rule omits are not recorded', async () => {
    const { api, lines } = auditedApi([{ level: 'Metadata', omitStages: ['RequestReceived'] }]);
    await api.request('GET', path);
    expect(lines.map(({ stage }) => stage)).toEqual(['ResponseComplete']);
  });

  test('an unauthenticated request is recorded once, with its refusal', async () => {
    const { api, lines } = auditedApi([{ level: 'Metadata' }]);
    await api.request('GET', path, undefined, { authorization: 'Bearer wrong' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ stage: 'ResponseStarted', user: {}, responseStatus: { code: 401 } });
  });

  test('a request that cannot be recorded is refused', async () => {
    const backend: AuditBackend = { name: 'full', process: () => false, flush: () => Promise.resolve() };
    const policy = { rules: [{ level: 'Metadata' }] } as AuditSetup['policy'];
    const api = inMemoryApi({ resources: [{ kind: ConfigMap }], audit: { policy, backend: () => backend } });
    const answer = await api.request('GET', path);
    expect(answer.status).toBe(500);
    expect(answer.body).toBe(`Internal Server Error: "${path}": failed to store audit event\n`);
  });
});

test('a copy of an event outlives its request', () => {
  const event = { auditId: 'x', stage: 'RequestReceived', annotations: { a: '1' } } as unknown as AuditEvent;
  const copy = copyOfEvent(event);
  Object.assign(event, { stage: 'ResponseComplete', annotations: { a: '1', b: '2' } });
  expect(copy).toMatchObject({ stage: 'RequestReceived', annotations: { a: '1' } });
});

describe('caches between events', () => {
  const alice: UserInfo = { name: 'alice', groups: ['dev'] };
  const configMap = {
    resource: 'configmaps',
    namespace: 'x',
    name: 'a',
    uid: '',
    apiGroup: '',
    apiVersion: 'v1',
    resourceVersion: '',
    subresource: '',
  };
  const event: AuditEvent = {
    level: 'Metadata',
    auditId: '1',
    stage: 'ResponseComplete',
    requestUri: '/x',
    verb: 'get',
    user: alice,
    impersonatedUser: undefined,
    impersonationConstraint: '',
    sourceIps: ['127.0.0.1'],
    userAgent: 'test',
    objectRef: configMap,
    responseStatus: { code: 200 },
    requestObject: undefined,
    responseObject: undefined,
    receivedAtMs: 0,
    stageAtMs: 0,
    annotations: undefined,
  };
  const reported = (changes: Partial<AuditEvent>) =>
    JSON.parse(eventLine({ ...event, ...changes })) as Readonly<Record<string, unknown>>;

  test.each<[string, Partial<AuditEvent>, string, unknown]>([
    ['another user', { user: { name: 'bob', groups: [] } }, 'user', { username: 'bob' }],
    ['nobody', { user: undefined }, 'user', {}],
    ['another verb', { verb: 'list' }, 'verb', 'list'],
    ['another address', { sourceIps: ['::1'] }, 'sourceIPs', ['::1']],
    ['another program', { userAgent: 'a<b' }, 'userAgent', 'a<b'],
    [
      'acting as somebody',
      { impersonatedUser: alice },
      'impersonatedUser',
      { username: 'alice', groups: ['dev'] },
    ],
    [
      'another kind',
      { objectRef: { ...configMap, resource: 'deployments', apiGroup: 'apps', subresource: 'scale' } },
      'objectRef',
      {
        resource: 'deployments',
        namespace: 'x',
        name: 'a',
        apiGroup: 'apps',
        apiVersion: 'v1',
        subresource: 'scale',
      },
    ],
    [
      'no resource',
      { objectRef: { ...configMap, resource: '' } },
      'objectRef',
      { namespace: 'x', name: 'a', apiVersion: 'v1' },
    ],
    [
      'one object of many',
      { objectRef: { ...configMap, uid: 'u', resourceVersion: '7' } },
      'objectRef',
      { resource: 'configmaps', namespace: 'x', name: 'a', uid: 'u', apiVersion: 'v1', resourceVersion: '7' },
    ],
    ['another time', { stageAtMs: 1500 }, 'stageTimestamp', '1970-01-01T00:00:01.500000Z'],
    ['other annotations', { annotations: { b: '"', a: '' } }, 'annotations', { a: '', b: '"' }],
  ])('%s is told as it is', (_title, changes, member, value) => {
    const before = eventLine({ ...event });
    expect(reported(changes)[member]).toEqual(value);
    expect(eventLine({ ...event })).toBe(before);
  });

  test("members are in upstream's order", () => {
    const annotations = Object.freeze({ b: '2', a: '1' });
    const all = reported({ annotations, responseStatus: { status: 'Failure', code: 404 } });
    expect(Object.keys(all)).toEqual([
      'kind',
      'apiVersion',
      'level',
      'auditID',
      'stage',
      'requestURI',
      'verb',
      'user',
      'sourceIPs',
      'userAgent',
      'objectRef',
      'responseStatus',
      'requestReceivedTimestamp',
      'stageTimestamp',
      'annotations',
    ]);
    expect(eventLine({ ...event, annotations })).toContain('"annotations":{"a":"1","b":"2"}');
  });
});

test('text that could end a line or a page is escaped', () => {
  const event = {
    level: 'Metadata',
    auditId: 'a\n"b"<script>',
    stage: 'RequestReceived',
    requestUri: '/?a=1&b=2',
    verb: 'get',
    sourceIps: [],
    userAgent: '',
    impersonationConstraint: '',
    receivedAtMs: new ManualClock().now(),
    stageAtMs: 0,
  } as unknown as AuditEvent;
  const line = eventLine(event);
  expect(line.indexOf('\n')).toBe(line.length - 1);
  expect(line).toContain('\\u003cscript\\u003e');
  expect((JSON.parse(line) as { auditID: string }).auditID).toBe('a\n"b"<script>');
});
