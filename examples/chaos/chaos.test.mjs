import { test } from 'node:test';
import { assertEventuallyHas, createCluster } from 'coxswain/testing';

const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 4,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'nginx' }] },
    },
  },
};

// The same seed goes the same way; other seeds find other ways.
for (const seed of [1, 2, 3])
  test(`a deployment gets over lost nodes, dropped watches and failing requests (seed ${seed})`, async () => {
    const cluster = await createCluster({ nodes: 3, seed });
    cluster.faults.add({ verb: ['create', 'patch'], probability: 0.2, action: 'error', code: 503 });
    cluster.faults.add({ verb: 'watch', probability: 0.3, action: 'dropWatch', afterEvents: 2 });
    cluster.faults.add({ verb: 'list', probability: 0.2, action: 'staleRead' });
    await cluster.eventually(() => cluster.apply(web));
    await cluster.nodes.fail('node-1');
    await cluster.components.restart('scheduler');
    await cluster.clock.advance('10m');
    cluster.faults.clear();
    await assertEventuallyHas(
      cluster,
      'deployment/web',
      { status: { availableReplicas: 4 } },
      { within: '30m' },
    );
  });
