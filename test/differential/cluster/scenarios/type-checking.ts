/** What the checker of expressions writes into the status of validating policies. */
import type { JsonObject, Scenario, Step } from '../scenario.ts';
import { create, item, patch, scenario, until, view } from './building.ts';

const name = 'p-$id';
const here = item('ValidatingAdmissionPolicy', name);
const rule = (apiGroups: string[], resources: string[], apiVersions = ['v1']): JsonObject => ({
  apiGroups,
  apiVersions,
  operations: ['CREATE', 'UPDATE'],
  resources,
});
const deployments = rule(['apps'], ['deployments']);
const policy = (spec: JsonObject, ...resourceRules: JsonObject[]): Step =>
  create('ValidatingAdmissionPolicy', name, {
    spec: {
      failurePolicy: 'Ignore',
      matchConstraints: { resourceRules: resourceRules.length > 0 ? resourceRules : [deployments] },
      ...spec,
    },
  });
const checked = until(here, 'status.observedGeneration==1');
const says = (...expressions: string[]): JsonObject => ({
  validations: expressions.map((expression) => ({ expression })),
});
const check = (title: string, spec: JsonObject, ...rules: JsonObject[]): Scenario =>
  scenario(title, policy(spec, ...rules), checked, view('checked', here));

export const typeCheckingScenarios: readonly Scenario[] = [
  check('types-all-right', says('object.spec.replicas > 1', "object.metadata.name.startsWith('a')")),
  check(
    'types-several-wrong',
    says("object.spec.replicas == 'one'", 'object.spec.nothing', 'object.spec.replicas > 1'),
  ),
  check('types-two-kinds', says('object.spec.replicas > 1'), rule(['apps'], ['deployments', 'daemonsets'])),
  check('types-two-rules', says('object.spec.replicas > 1'), deployments, rule([''], ['pods'])),
  check('types-any-resource', says('object.spec.replicaz > 1'), rule(['apps'], ['*'])),
  check('types-any-group', says('object.spec.replicaz > 1'), rule(['*'], ['deployments'])),
  check('types-any-version', says('object.spec.replicaz > 1'), rule(['apps'], ['deployments'], ['*'])),
  check('types-of-subresource', says('object.spec.replicaz > 1'), rule(['apps'], ['deployments/scale'])),
  check('types-of-status', says('object.spec.replicaz > 1'), rule(['apps'], ['deployments/status'])),
  check('types-of-unknown-kind', says('object.spec.replicaz > 1'), rule(['x.org'], ['things'])),
  check('types-message-expression', {
    validations: [{ expression: 'true', messageExpression: "object.nothing + 'a'" }],
  }),
  check('types-variables', {
    variables: [
      { name: 'wrong', expression: 'object.spec.nothing' },
      { name: 'number', expression: 'object.spec.replicas' },
    ],
    validations: [{ expression: "variables.number == 'a'" }, { expression: 'variables.wrong == 1' }],
  }),
  check('types-match-conditions', {
    matchConditions: [{ name: 'm', expression: "object.spec.nothing == 'a'" }],
    ...says('true'),
  }),
  check('types-audit-annotations', {
    ...says('true'),
    auditAnnotations: [{ key: 'k', valueExpression: "object.spec.nothing + 'a'" }],
  }),
  check('types-of-parameters', {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    ...says("params.data.a == 'b'", 'params.nothing == 1', 'object.spec.replicas > int(params.data.a)'),
  }),
  check('types-of-unknown-parameters', {
    paramKind: { apiVersion: 'x.org/v1', kind: 'Thing' },
    ...says('params.spec.a == 1', 'object.spec.nothing == 1'),
  }),
  check(
    'types-other-variables',
    says(
      "request.namespace == 'a' && request.nothing == 1",
      "namespaceObject.metadata.name == 'a' && namespaceObject.nothing == 1",
      'oldObject.spec.nothing == 1',
      "authorizer.group('').resource('pods').check('get').allowed()",
    ),
  ),
  check(
    'types-lists-and-maps',
    says(
      "object.spec.template.spec.containers.all(c, c.imagez == 'a')",
      "object.metadata.labels['a'] == 1",
      'object.spec.template.spec.containers.map(c, c.name)[0] == 1',
      'has(object.spec.template.spec.nothing)',
    ),
  ),
  check(
    'types-quantities-and-times',
    says(
      "quantity(object.spec.template.spec.containers[0].resources.limits['cpu']).isGreaterThan(quantity('1'))",
      "object.metadata.creationTimestamp > timestamp('2020-01-01T00:00:00Z')",
      'object.spec.strategy.rollingUpdate.maxSurge == 1',
      "object.spec.strategy.rollingUpdate.maxSurge == 'a'",
    ),
  ),
  check('types-multi-line', says('object.spec.replicas > 1 &&\n  object.spec.nothing == 2 &&\n  true')),
  scenario(
    'types-mended',
    policy(says('object.spec.nothing == 1')),
    checked,
    view('wrong', here),
    patch('ValidatingAdmissionPolicy', name, { spec: says('object.spec.replicas == 1') }),
    until(here, 'status.observedGeneration==2'),
    view('right', here),
  ),
  scenario(
    'types-of-custom-resource',
    create('CustomResourceDefinition', 'things.t$id.org', {
      spec: {
        group: 't$id.org',
        scope: 'Namespaced',
        names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    properties: {
                      size: { type: 'integer' },
                      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                      port: { 'x-kubernetes-int-or-string': true },
                    },
                  },
                },
              },
            },
          },
        ],
      },
    }),
    until(
      item('CustomResourceDefinition', 'things.t$id.org'),
      'status.conditions[type=Established].status==True',
    ),
    { wait: 2500 },
    policy(
      says(
        "object.spec.size == 'a'",
        'object.spec.sizes == 1',
        'object.spec.free.any == 1',
        "object.spec.port == 'a'",
      ),
      rule(['t$id.org'], ['things']),
    ),
    checked,
    view('checked', here),
  ),
];
