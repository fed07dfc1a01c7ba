import { expect, test } from 'vitest';
import {
  ProgramError,
  admissionRequestType,
  authorizerType,
  authorizerValue,
  baseEnvironment,
  bindingsLibrary,
  boolType,
  declaredTypeOfSchema,
  deviceType,
  dynType,
  isError,
  jsonPatchLibrary,
  misnamedTypes,
  mutationTypes,
  namespaceType,
  sizeHintsOf,
  toJson,
  valueOf,
  type AuthorizationQuestion,
  type Environment,
  type SchemaProps,
  type Value,
} from './index.ts';

const schema: SchemaProps = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    namespace: { type: 'string', maxLength: 10 },
    'a-b': { type: 'string' },
    port: { 'x-kubernetes-int-or-string': true },
    since: { type: 'string', format: 'date-time' },
    hosts: {
      type: 'array',
      items: { type: 'string', maxLength: 5 },
      maxItems: 3,
      'x-kubernetes-list-type': 'set',
    },
  },
};
const selfType = declaredTypeOfSchema(schema, { name: 'self', isResourceRoot: false })!;
const typed = baseEnvironment.extend({ variables: { self: selfType } });
const dynamic = baseEnvironment.extend({ variables: { object: dynType } });

function evaluate(environment: Environment, text: string, activation: Record<string, Value> = {}): Value {
  const { ast, issuesText } = environment.compile(text);
  if (!ast) throw new Error(issuesText);
  return environment.program(ast).evaluate(activation).value;
}

const self = (json: unknown): Record<string, Value> => ({ self: valueOf(json, selfType) });

test('an issue shows the line and a caret under the place', () => {
  expect(typed.compile('self.foo').issuesText).toBe(
    "ERROR: <input>:1:5: undefined field 'foo'\n | self.foo\n | ....^",
  );
});

test('each issue has its own line, in the order of their places', () => {
  expect(typed.compile("self.x == 1 &&\n  1 + 'ä' + y").issuesText).toBe(
    [
      "ERROR: <input>:1:5: undefined field 'x'\n | self.x == 1 &&\n | ....^",
      "ERROR: <input>:2:5: found no matching overload for '_+_' applied to '(int, string)'\n |   1 + 'ä' + y\n | ....^",
      "ERROR: <input>:2:13: undeclared reference to 'y' (in container '')\n |   1 + 'ä' + y\n | .......．....^",
    ].join('\n'),
  );
});

test('the output type is known without evaluating', () => {
  expect(typed.compile('self.replicas > 1').ast!.outputType).toBe(boolType);
});

test('a field that is not set has no key', () => {
  const value = evaluate(typed, 'self.replicas > 1', self({}));
  expect(isError(value) && value.message).toBe('no such key: replicas');
});

test('a reserved word and a hyphen are escaped in names', () => {
  const data = self({ namespace: 'n', 'a-b': 'x' });
  expect(evaluate(typed, "self.__namespace__ + self.namespace + self.a__dash__b == 'nnx'", data)).toBe(true);
});

test('an int-or-string is either', () => {
  expect(
    evaluate(typed, "type(self.port) == int ? self.port == 80 : self.port == 'http'", self({ port: 80 })),
  ).toBe(true);
  expect(evaluate(typed, "self.port == 'http'", self({ port: 'http' }))).toBe(true);
});

test('a date-time of a schema is a timestamp', () => {
  expect(evaluate(typed, 'self.since.getFullYear()', self({ since: '2026-01-02T03:04:05Z' }))).toBe(2026);
});

test('sets are equal in any order, and adding skips existing elements', () => {
  const data = self({ hosts: ['a', 'b'] });
  expect(evaluate(typed, "self.hosts == ['b', 'a']", data)).toBe(true);
  expect(toJson(evaluate(typed, "self.hosts + ['b', 'c']", data))).toEqual(['a', 'b', 'c']);
});

test('static cost follows the sizes that the schema allows', () => {
  const { ast } = typed.compile("self.hosts.all(host, host.startsWith('a'))");
  expect(typed.estimateCost(ast!, sizeHintsOf(selfType))).toEqual({ min: 3, max: 18 });
});

test('an evaluation ends where it costs more than it may', () => {
  const { ast } = dynamic.compile('object.all(a, object.all(b, object.all(c, a + b + c >= 0)))');
  const object = valueOf(Array.from({ length: 200 }, (_, index) => index));
  const { value, cost } = dynamic.program(ast!, { costLimit: 10_000 }).evaluate({ object });
  expect(isError(value) && value.message).toBe('operation cancelled: actual cost limit exceeded');
  expect(cost).toBeLessThan(10_100);
});

test('a constant that fails is refused with the program', () => {
  const { ast } = dynamic.compile("int('x') == 1");
  expect(() => dynamic.program(ast!)).toThrow(
    new ProgramError("type conversion error from 'string' to 'int'"),
  );
});

test('integers are exact up to 64 bits and overflow beyond', () => {
  expect(evaluate(dynamic, '9007199254740993 * 1000 == 9007199254740993000')).toBe(true);
  const value = evaluate(dynamic, '9223372036854775807 + 1 == 0');
  expect(isError(value) && value.message).toBe('integer overflow');
});

test('an evil pattern takes no longer than another', () => {
  const object = valueOf(`${'a'.repeat(5_000)}!`);
  const start = performance.now();
  expect(evaluate(dynamic, "object.matches('^(a+)+$')", { object })).toBe(false);
  expect(performance.now() - start).toBeLessThan(1_000);
});

test('expressions that are nested or long beyond the bounds are refused, not followed', () => {
  expect(dynamic.compile('('.repeat(300) + '1' + ')'.repeat(300)).issuesText).toContain(
    'expression recursion limit exceeded: 250',
  );
  expect(dynamic.compile(`'${'a'.repeat(100_001)}'`).issuesText).toContain(
    'expression code point size exceeds limit: size: 100003, limit 100000',
  );
});

test('names of plain objects are no keys', () => {
  const value = evaluate(dynamic, 'object.constructor', { object: valueOf({ a: 1 }) });
  expect(isError(value) && value.message).toBe('no such key: constructor');
});

test('the request of a policy is typed, down to the user', () => {
  const environment = baseEnvironment.extend({
    variables: { request: admissionRequestType, namespaceObject: namespaceType },
  });
  expect(environment.compile('request.userInfo.groups.exists(g, g == 1)').issuesText).toContain(
    "found no matching overload for '_==_' applied to '(string, int)'",
  );
  const request = valueOf({ operation: 'CREATE' });
  expect(evaluate(environment, "request.operation == 'CREATE'", { request })).toBe(true);
});

test("the authorizer gets the expression's attributes", () => {
  const questions: AuthorizationQuestion[] = [];
  const authorizer = authorizerValue((question) => {
    questions.push(question);
    return { isAllowed: question.verb === 'get', reason: 'because' };
  });
  const environment = baseEnvironment.extend({ variables: { authorizer: authorizerType } });
  const check = "authorizer.serviceAccount('ns', 'sa').group('apps').resource('deployments').namespace('ns')";
  expect(evaluate(environment, `${check}.check('get').allowed()`, { authorizer })).toBe(true);
  expect(evaluate(environment, "authorizer.path('/healthz').check('put').reason()", { authorizer })).toBe(
    'because',
  );
  expect(questions).toEqual([
    {
      kind: 'resource',
      serviceAccount: { namespace: 'ns', name: 'sa' },
      group: 'apps',
      resource: 'deployments',
      subresource: '',
      namespace: 'ns',
      name: '',
      fieldSelector: '',
      labelSelector: '',
      verb: 'get',
    },
    { kind: 'path', path: '/healthz', verb: 'put' },
  ]);
});

test('a device selector reaches attributes and binds names', () => {
  const environment = baseEnvironment.extend({
    variables: { device: deviceType },
    libraries: [bindingsLibrary],
  });
  const device = valueOf({ driver: 'd', attributes: { 'd.example.com': { model: 'x' } } });
  const text = "cel.bind(dra, device.attributes['d.example.com'], dra.model == 'x')";
  expect(evaluate(environment, text, { device })).toBe(true);
});

test('a change is an object whose types are named after their paths', () => {
  const environment = baseEnvironment.extend({ provider: mutationTypes });
  const right = evaluate(environment, 'Object{spec: Object.spec{replicas: 3}}');
  expect(toJson(right)).toEqual({ spec: { replicas: 3 } });
  expect(misnamedTypes(right)).toEqual([]);
  expect(misnamedTypes(evaluate(environment, 'Object{spec: Object.status{replicas: 3}}'))).toEqual([
    'unexpected type name "Object.status", expected "Object.spec", which matches field name path from root Object type',
  ]);
});

test('keys are escaped for JSON pointers where patches are enabled', () => {
  const environment = baseEnvironment.extend({ provider: mutationTypes, libraries: [jsonPatchLibrary] });
  const patch = evaluate(
    environment,
    "[JSONPatch{op: 'remove', path: '/a/' + jsonpatch.escapeKey('b/c~d')}]",
  );
  expect(toJson(patch)).toEqual([{ op: 'remove', path: '/a/b~1c~0d' }]);
});
