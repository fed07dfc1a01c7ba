import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diff } from './gitops-diff.mjs';

const web = (replicas, more = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx' }], ...more },
    },
  },
});
const map = (name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

test('only what differs after defaulting is a change', async () => {
  // restartPolicy is Always in any case.
  const changed = await diff([web(2), map('old')], [web(3, { restartPolicy: 'Always' }), map('new')]);
  assert.deepEqual(changed, [
    'ConfigMap/new: added',
    'Deployment/web spec.replicas: 2 → 3',
    'ConfigMap/old: removed',
  ]);
});
