import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectsOf } from '../testing/manifests.ts';
import { replayAudit } from './replay-audit.ts';
import { reportJunit } from './report-junit.ts';
import { runSuite } from './run-suite.ts';
import { readSuite } from './suite.ts';

const policies = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}
  variables:
  - {name: max, expression: "request.userInfo.username == 'alice' ? 5 : 10"}
  validations:
  - expression: object.spec.replicas <= variables.max
    messageExpression: "'at most ' + string(variables.max) + ' replicas'"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: replicas}
spec: {policyName: replicas, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: team}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'team': 'x'}}}"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: team}
spec: {policyName: team}
`;

const deployment = (replicas: number): string =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'coxswain-policy-test-'));
  writeFileSync(path.join(directory, 'policies.yaml'), policies);
  writeFileSync(path.join(directory, 'large.yaml'), deployment(7));
});
afterAll(() => rmSync(directory, { recursive: true }));

function suite(cases: string) {
  const file = path.join(directory, 'a.test.yaml');
  writeFileSync(file, `kind: PolicyTest\nobjects: [policies.yaml]\ncases:\n${cases}`);
  return readSuite(file);
}

test('each case runs with the same state as its user, and deviations are reported', async () => {
  const results = await runSuite(
    suite(`
- name: too many for alice
  as: {user: alice, groups: [dev]}
  create: large.yaml
  expect: {denied: at most 5 replicas}
- name: not too many for others, and changed on the way
  create: large.yaml
  expect: {warnings: [], object: {metadata: {labels: {team: x}}}}
- name: scaled up
  as: {user: alice}
  update: {from: ${deployment(3)}, to: large.yaml}
  expect: {denied: at most 5}
- name: deleted
  delete: large.yaml
- name: wrong expectations
  create: ${deployment(1)}
  expect: {warnings: [careful], object: {metadata: {labels: {team: other}}}}
- name: wrong hope
  as: {user: alice}
  create: large.yaml
`),
  );
  expect(results.slice(0, 4).map(({ problems }) => problems)).toEqual([[], [], [], []]);
  expect(results[4]?.problems).toEqual([
    'missing warning: careful',
    'metadata.labels.team is "x", expected "other"',
  ]);
  expect(results[5]?.problems).toEqual([
    `it was denied (422): deployments.apps "web" is forbidden: ValidatingAdmissionPolicy 'replicas' with binding 'replicas' denied request: at most 5 replicas`,
  ]);
});

test('writes in an audit log are replayed', async () => {
  const event = (user: string, replicas: number) => ({
    stage: 'ResponseComplete',
    verb: 'create',
    user: { username: user, groups: ['dev'] },
    objectRef: { namespace: 'shop', name: 'web' },
    requestObject: JSON.parse(deployment(replicas)),
    responseStatus: { code: 201 },
  });
  const { requestObject: _object, ...withoutObject } = event('alice', 1);
  const { requests, passedOver } = await replayAudit(objectsOf(policies), [
    event('alice', 7),
    event('bob', 7),
    withoutObject,
    { ...event('alice', 7), responseStatus: { code: 409 } },
  ]);
  expect(requests.map(({ user, what, denied }) => [user, what, denied !== undefined])).toEqual([
    ['alice', 'Deployment shop/web', true],
    ['bob', 'Deployment shop/web', false],
  ]);
  expect(passedOver).toBe(1);
});

test('a case that asks for nothing is named', () => {
  expect(() => suite('- name: idle\n')).toThrow(/idle: a case must have one of create, update and delete$/);
});

test('JUnit gets a suite for each file, and the deviations', () => {
  const results = new Map([
    ['a.yaml', [{ name: 'one', problems: [] }]],
    ['b.yaml', [{ name: 'a < b', problems: ['allowed, expected "denied"'] }]],
  ]);
  expect(reportJunit(results).split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="coxswain policy test" tests="2" failures="1" errors="0">',
    '  <testsuite name="a.yaml" tests="1" failures="0" errors="0">',
    '    <testcase classname="a.yaml" name="one"/>',
    '  </testsuite>',
    '  <testsuite name="b.yaml" tests="1" failures="1" errors="0">',
    '    <testcase classname="b.yaml" name="a &lt; b">',
    '      <failure message="allowed, expected &quot;denied&quot;"/>',
    '    </testcase>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ]);
});
