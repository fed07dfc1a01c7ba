import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { assertEventuallyHas, createCluster } from 'coxswain/testing';

/** What this version answers: from its fifth order on, the new one has lost its connection to the database. */
const shop = (version) => ({
  listen: {
    8080(request, { state }) {
      const { pathname } = new URL(request.url);
      if (pathname === '/orders') state.orders = (state.orders ?? 0) + 1;
      const isBroken = version === '1.3' && state.orders >= 5;
      return new Response(`shop ${version}`, { status: isBroken ? 500 : 200 });
    },
  },
});

const deployment = (name, version, replicas) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'shop', track: name } },
    template: {
      metadata: { labels: { app: 'shop', track: name } },
      spec: {
        containers: [
          {
            name: 'shop',
            image: `shop:${version}`,
            readinessProbe: {
              httpGet: { path: '/health', port: 8080 },
              periodSeconds: 5,
              failureThreshold: 1,
            },
          },
        ],
      },
    },
  },
});

let cluster;
before(async () => {
  cluster = await createCluster({ nodes: 3, seed: 1 });
  for (const version of ['1.2', '1.3']) cluster.images.define(`shop:${version}`, shop(version));
});
after(() => cluster.stop());

/** How many of 40 orders fail. */
async function failures() {
  let failed = 0;
  for (let order = 0; order < 40; order++)
    if (!(await cluster.fetch('http://shop.default/orders')).ok) failed++;
  return failed;
}

test('a canary that breaks leaves the service when its readiness probe notices', async () => {
  await cluster.apply([
    deployment('stable', '1.2', 3),
    deployment('canary', '1.3', 1),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'shop' },
      spec: { selector: { app: 'shop' }, ports: [{ port: 80, targetPort: 8080 }] },
    },
  ]);
  await assertEventuallyHas(cluster, 'deployment/canary', { status: { availableReplicas: 1 } });

  // The canary gets a quarter of the orders, and fails most of its own.
  const early = await failures();
  assert.ok(early > 0 && early < 20, `${early} of 40 orders failed`);

  await cluster.clock.advance('10s');
  await assertEventuallyHas(cluster, 'deployment/canary', { status: { unavailableReplicas: 1 } });
  assert.equal(await failures(), 0);
});
