import { createCluster } from 'coxswain/testing';
import { expect, test } from 'vitest';

const deployment = (name: string, replicas: number): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: c, image: nginx }] }
`;

test('a pod costs as many requests however many there are', async () => {
  const cluster = await createCluster({ nodes: 5, seed: 1 });
  const requestsOf = async (name: string, replicas: number): Promise<number> => {
    const before = cluster.requests().length;
    await cluster.apply(deployment(name, replicas));
    await cluster.idle();
    return (cluster.requests().length - before) / replicas;
  };
  await requestsOf('first', 30);
  const once = await requestsOf('once', 60);
  const twice = await requestsOf('twice', 120);
  expect(twice).toBeLessThanOrEqual(once);
  await cluster.stop();
});
