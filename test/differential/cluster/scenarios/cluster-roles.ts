/** Roles that gather the rules of others. */
import type { Json, JsonObject, Scenario, Step } from '../scenario.ts';
import { create, item, patch, remove, scenario, view, wait } from './building.ts';

const rules = (resource: string, ...verbs: string[]): Json => [
  { apiGroups: [''], resources: [resource], verbs },
];
const part = (name: string, labels: JsonObject, own: Json): Step =>
  create('ClusterRole', `${name}-$id`, { metadata: { labels }, rules: own });
const gathered = (more: JsonObject, ...clusterRoleSelectors: JsonObject[]): Step =>
  create('ClusterRole', 'all-$id', { aggregationRule: { clusterRoleSelectors }, ...more });
const whole = (name: string) => view(name, item('ClusterRole', 'all-$id'));
const labelled: JsonObject = { matchLabels: { 'agg-$id': 'y' } };

export const clusterRoleScenarios: readonly Scenario[] = [
  scenario(
    'roles-of-two-selectors',
    part('a', { 'agg-$id': 'y' }, rules('pods', 'get')),
    part('b', { 'other-$id': 'y' }, rules('secrets', 'get')),
    part('both', { 'agg-$id': 'y', 'other-$id': 'y' }, rules('nodes', 'list')),
    gathered({}, labelled, { matchExpressions: [{ key: 'other-$id', operator: 'Exists' }] }),
    wait(1000),
    whole('gathered'),
  ),
  scenario(
    'roles-without-match',
    gathered({ rules: rules('pods', 'get') }, { matchLabels: { 'none-$id': 'y' } }),
    wait(1000),
    whole('emptied'),
  ),
  scenario(
    'role-rules-by-hand',
    part('a', { 'agg-$id': 'y' }, rules('pods', 'get')),
    gathered({}, labelled),
    wait(1000),
    patch('ClusterRole', 'all-$id', { rules: rules('everything', '*') }),
    wait(1000),
    whole('restored'),
  ),
  scenario(
    'role-part-changed-then-deleted',
    part('a', { 'agg-$id': 'y' }, rules('pods', 'get')),
    part('b', { 'agg-$id': 'y' }, rules('nodes', 'get')),
    gathered({}, labelled),
    wait(1000),
    patch('ClusterRole', 'a-$id', { rules: rules('pods', 'get', 'list') }),
    wait(1000),
    whole('changed'),
    remove('ClusterRole', 'b-$id'),
    wait(1000),
    whole('deleted'),
  ),
  scenario(
    'roles-gathered-twice',
    part('a', { 'agg-$id': 'y' }, rules('pods', 'get')),
    create('ClusterRole', 'middle-$id', {
      metadata: { labels: { 'top-$id': 'y' } },
      aggregationRule: { clusterRoleSelectors: [labelled] },
    }),
    gathered({}, { matchLabels: { 'top-$id': 'y' } }),
    wait(1000),
    whole('gathered'),
  ),
  scenario(
    'role-that-gathers-itself',
    part('a', { 'agg-$id': 'y' }, rules('pods', 'get')),
    gathered({ metadata: { labels: { 'agg-$id': 'y' } } }, labelled),
    wait(1000),
    whole('gathered'),
  ),
  scenario(
    'role-stops-gathering',
    part('a', { 'agg-$id': 'y' }, rules('pods', 'get')),
    gathered({}, labelled),
    wait(1000),
    patch('ClusterRole', 'all-$id', { aggregationRule: null }),
    wait(500),
    part('b', { 'agg-$id': 'y' }, rules('nodes', 'get')),
    wait(1000),
    whole('kept'),
  ),
  scenario(
    'role-selector-changed',
    part('a', { 'agg-$id': 'y' }, rules('pods', 'get')),
    part('b', { 'agg-$id': 'n' }, rules('nodes', 'get')),
    gathered({}, labelled),
    wait(1000),
    patch('ClusterRole', 'all-$id', {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'agg-$id': 'n' } }] },
    }),
    wait(1000),
    whole('other'),
  ),
  scenario(
    'role-parts-repeat-rules',
    part('a', { 'agg-$id': 'y' }, [
      { apiGroups: [''], resources: ['pods', 'nodes'], verbs: ['get'] },
      { nonResourceURLs: ['/healthz'], verbs: ['get'] },
    ]),
    part('b', { 'agg-$id': 'y' }, [
      { apiGroups: [''], resources: ['nodes', 'pods'], verbs: ['get'] },
      { nonResourceURLs: ['/healthz'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: ['x'] },
    ]),
    gathered({}, labelled),
    wait(1000),
    whole('gathered'),
  ),
  scenario(
    'role-selector-empty',
    { ...gathered({}), full: true },
    {
      ...create('ClusterRole', 'odd-$id', {
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { '-': 'y' } }] },
      }),
      full: true,
    },
  ),
  scenario(
    'edit-gathers-custom-rules',
    part('mine', { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' }, [
      { apiGroups: ['x$id.org'], resources: ['things'], verbs: ['get'] },
    ]),
    wait(1200),
    view('view', {
      get: item('ClusterRole', 'view'),
      pick: ['metadata.labels', 'aggregationRule', 'rules.#'],
    }),
    view('edit', {
      get: item('ClusterRole', 'edit'),
      pick: ['metadata.labels', 'aggregationRule', 'rules.#'],
    }),
  ),
];
