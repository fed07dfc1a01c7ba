import { expect, test } from 'vitest';
import type { ApiResource } from './discovered.ts';
import { restMapper } from './rest-mapper.ts';

const pods = resource('', 'v1', 'pods', 'Pod', ['po'], ['all']);
const events = resource('', 'v1', 'events', 'Event', ['ev']);
const newEvents = resource('events.k8s.io', 'v1', 'events', 'Event', ['ev']);
const deployments = resource('apps', 'v1', 'deployments', 'Deployment', ['deploy'], ['all']);
const oldDeployments = resource('apps', 'v1beta1', 'deployments', 'Deployment', ['deploy'], ['all']);
const oddlyNamed = resource('example.com', 'v1', 'resources', 'Kind', []);
const mapper = restMapper({
  resources: [pods, events, deployments, oldDeployments, newEvents, oddlyNamed],
  failures: [],
});

test.each([
  ['pods', pods],
  ['pod', pods],
  ['po', pods],
  ['Pod', pods],
  ['PODS', pods],
  ['deployments.apps', deployments],
  ['deployments.v1beta1.apps', oldDeployments],
  ['Deployment.v1beta1.apps', oldDeployments],
  ['deploy.app', deployments],
  ['events.events.k8s.io', newEvents],
  ['kind.example.com', oddlyNamed],
])('%s is found', (arg, expected) => {
  expect(mapper.resourceFor(arg)).toBe(expected);
});

test('an unknown resource is reported by its first part', () => {
  expect(() => mapper.resourceFor('nope.v1.example.com')).toThrow(
    `the server doesn't have a resource type "nope"`,
  );
});

test('a short name of two groups means the first, with a warning', () => {
  const warnings: string[] = [];
  const { resourceFor } = restMapper({ resources: [events, newEvents], failures: [] }, (text) =>
    warnings.push(text),
  );
  expect(resourceFor('ev')).toBe(events);
  expect(warnings).toEqual(['short name "ev" could also match lower priority resource events.events.k8s.io']);
});

test('a kind that is not served is reported with the versions searched', () => {
  expect(() => mapper.forKind({ group: 'apps', kind: 'Foo' }, 'v1', 'v2')).toThrow(
    'no matches for kind "Foo" in versions ["apps/v1" "apps/v2"]',
  );
  expect(() => mapper.forKind({ group: '', kind: 'Foo' }, 'v1')).toThrow(
    'no matches for kind "Foo" in version "v1"',
  );
});

test('a category has each resource once', () => {
  expect(mapper.category('all')).toEqual([pods, deployments]);
});

function resource(
  group: string,
  version: string,
  name: string,
  kind: string,
  shortNames: string[],
  categories: string[] = [],
): ApiResource {
  return {
    group,
    version,
    resource: name,
    singular: name.slice(0, -1),
    kind,
    kindGroup: group,
    kindVersion: version,
    namespaced: true,
    verbs: [],
    shortNames,
    categories,
    subresources: [],
  };
}
