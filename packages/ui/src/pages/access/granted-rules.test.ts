import { expect, test } from 'vitest';
import { grantedResources } from './granted-rules.ts';

test('rules for one resource are one row, and named objects have rows of their own at the end', () => {
  const rows = grantedResources([
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['db'], verbs: ['get'] },
    { apiGroups: ['', 'apps'], resources: ['pods', 'deployments/scale'], verbs: ['list'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
    { nonResourceURLs: ['/healthz'], verbs: ['get'] },
  ]);
  expect(rows.map(({ resource, names, verbs }) => [resource, names, [...verbs]])).toEqual([
    ['deployments.apps/scale', [], ['list']],
    ['deployments/scale', [], ['list']],
    ['pods', [], ['list', 'get']],
    ['pods.apps', [], ['list']],
    ['secrets', ['db'], ['get']],
  ]);
});
