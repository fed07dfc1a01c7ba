import { systemClock } from '@coxswain/apimachinery';
import { MemoryStorage } from '@coxswain/storage';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assembleKubeApiServer, type AssembledApiServer } from '../../assemble.ts';

let server: AssembledApiServer;

beforeEach(async () => {
  server = await assembleKubeApiServer({
    storage: new MemoryStorage(),
    clock: systemClock,
    disableAdmissionPlugins: ['ServiceAccount'],
  });
  await server.start();
});
afterEach(() => server.stop());

async function send(method: string, path: string, object?: object) {
  const transport = server.inProcess({ name: 'jane', groups: ['system:masters'] }, { structured: false });
  const response = await transport.send({
    method,
    path,
    headers: { 'content-type': 'application/json' },
    ...(object && { body: new TextEncoder().encode(JSON.stringify(object)) }),
  });
  const body = JSON.parse(new TextDecoder().decode(await response.bytes()));
  return { status: response.status, warnings: response.headers['warning'] ?? [], body };
}

const group = '/apis/admissionregistration.k8s.io/v1';
const constraints = {
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
  ],
};

async function bind(kind: 'validating' | 'mutating', name: string, spec: object, binding: object = {}) {
  const policy = { metadata: { name }, spec: { matchConstraints: constraints, ...spec } };
  const made = await send('POST', `${group}/${kind}admissionpolicies`, policy);
  expect(made.body.message).toBeUndefined();
  const actions = kind === 'validating' ? { validationActions: ['Deny'] } : {};
  const bound = { metadata: { name }, spec: { policyName: name, ...actions, ...binding } };
  await send('POST', `${group}/${kind}admissionpolicybindings`, bound);
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const create = (data: object, name = 'one') => send('POST', configMaps, { metadata: { name }, data });

test('a write that a policy denies is refused with the message and reason of the validation', async () => {
  const validations = [
    { expression: 'object.data.a != "1"', messageExpression: '"a is " + object.data.a', reason: 'Forbidden' },
  ];
  await bind('validating', 'p', { validations });
  const denied = await create({ a: '1' });
  expect(denied.status).toBe(403);
  expect(denied.body.message).toBe(
    `configmaps "one" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' denied request: a is 1`,
  );
  expect((await create({ a: '2' })).status).toBe(201);
});

test('an expression that fails denies, unless the policy ignores failures', async () => {
  const validations = [{ expression: 'object.data.a == "1"' }];
  await bind('validating', 'p', { validations });
  expect((await create({})).body.message).toContain('resulted in error: no such key: data');
  await send('DELETE', `${group}/validatingadmissionpolicybindings/p`);
  await bind('validating', 'q', { validations, failurePolicy: 'Ignore' });
  expect((await create({})).status).toBe(201);
});

test('a binding that only warns allows the write and sends its message as a warning', async () => {
  const validations = [{ expression: 'false', message: 'careful' }];
  await bind('validating', 'p', { validations }, { validationActions: ['Warn'] });
  const { status, warnings } = await create({});
  expect(status).toBe(201);
  expect(warnings).toEqual([
    `299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': careful"`,
  ]);
});

test('a variable is evaluated once for all validations, and its cost counts against the budget', async () => {
  const ten = '[0,1,2,3,4,5,6,7,8,9]';
  const costly = ['a', 'b', 'c', 'd', 'e', 'f'].reduce(
    (inner, name) => `${ten}.all(${name}, ${inner})`,
    'true',
  );
  await bind('validating', 'p', {
    variables: [{ name: 'costly', expression: costly }],
    validations: [{ expression: 'variables.costly' }],
  });
  expect((await create({})).body.message).toContain(
    'composited variable "costly" fails to evaluate: operation cancelled: actual cost limit exceeded',
  );
});

test('parameters are found by name, and a missing one denies where the binding says so', async () => {
  const spec = {
    paramKind: { apiVersion: 'v1', kind: 'Secret' },
    validations: [{ expression: 'object.data.size() <= int(string(params.metadata.labels.max))' }],
  };
  const paramRef = { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' };
  await bind('validating', 'p', spec, { paramRef });
  expect((await create({ a: '' })).body.message).toContain('no params found for policy binding with `Deny`');
  await send('POST', '/api/v1/namespaces/default/secrets', {
    metadata: { name: 'limits', labels: { max: '1' } },
  });
  expect((await create({ a: '', b: '' })).status).toBe(422);
  expect((await create({ a: '' })).status).toBe(201);
});

test('the author of a policy must have permission to read its parameters', async () => {
  const restricted = await assembleKubeApiServer({
    storage: new MemoryStorage(),
    clock: systemClock,
    authorizationModes: ['RBAC'],
  });
  await restricted.start();
  const as = (name: string, groups: string[], path: string, object: object) =>
    restricted.inProcess({ name, groups }, { structured: false }).send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(object)),
    });
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const apiGroup = 'rbac.authorization.k8s.io';
  await as('root', ['system:masters'], `${rbac}/clusterroles`, {
    metadata: { name: 'writer' },
    rules: [{ apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['*'] }],
  });
  await as('root', ['system:masters'], `${rbac}/clusterrolebindings`, {
    metadata: { name: 'writer' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'writer' },
    subjects: [{ apiGroup, kind: 'User', name: 'kim' }],
  });
  const policy = {
    metadata: { name: 'p' },
    spec: {
      matchConstraints: constraints,
      paramKind: { apiVersion: 'v1', kind: 'Secret' },
      validations: [{ expression: 'true' }],
    },
  };
  const response = await as('kim', ['g'], `${group}/validatingadmissionpolicies`, policy);
  expect(JSON.parse(new TextDecoder().decode(await response.bytes())).message).toContain(
    'user &{kim  [g system:authenticated] map[]} must have "get" permission on all objects of the referenced paramKind (kind=Secret, apiVersion=v1)',
  );
  await restricted.stop();
});

const applying = (...expressions: string[]) => ({
  reinvocationPolicy: 'Never',
  mutations: expressions.map((expression) => ({
    patchType: 'ApplyConfiguration',
    applyConfiguration: { expression },
  })),
});

test('apply configurations are applied to the object, one mutation after the other', async () => {
  const add = 'Object{data: {"order": object.?data.?order.orValue("") + "x"}}';
  await bind('mutating', 'p', applying(add, add));
  expect((await create({ kept: '1' })).body.data).toEqual({ kept: '1', order: 'xx' });
});

test('an apply configuration may not replace what it does not state', async () => {
  const spec = {
    matchConstraints: { resourceRules: [{ ...constraints.resourceRules[0], resources: ['pods'] }] },
    ...applying('Object{spec: Object.spec{nodeSelector: {"a": "b"}}}'),
  };
  await bind('mutating', 'p', spec);
  const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const { status, body } = await send('POST', '/api/v1/namespaces/default/pods', pod);
  expect(status).toBe(403);
  expect(body.message).toContain('may not mutate atomic arrays, maps or structs: .spec.nodeSelector');
});

test('a JSON patch whose test fails changes nothing', async () => {
  const expression =
    '[JSONPatch{op: "test", path: "/data/a", value: "1"}, JSONPatch{op: "add", path: "/data/b", value: "2"}]';
  await bind('mutating', 'p', {
    reinvocationPolicy: 'Never',
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
  });
  expect((await create({ a: '1' })).body.data).toEqual({ a: '1', b: '2' });
  expect((await create({ a: '9' }, 'two')).body.data).toEqual({ a: '9' });
});

test('policies do not apply to themselves', async () => {
  const everything = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] };
  const matchConstraints = { resourceRules: [everything] };
  await bind('validating', 'p', { matchConstraints, validations: [{ expression: 'false' }] });
  expect((await create({})).status).toBe(422);
  expect((await send('DELETE', `${group}/validatingadmissionpolicybindings/p`)).status).toBe(200);
  expect((await create({})).status).toBe(201);
});
