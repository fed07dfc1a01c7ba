import { expect, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import { withCluster } from './with-cluster.ts';

interface Measured extends KubeObject {
  readonly containers: readonly { readonly usage: { readonly cpu: string } }[];
}

/** A deployment whose pods declare this CPU usage. */
const loaded = (cpu: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web }, annotations: { sim.coxswain.io/usage: cpu=${cpu} } }
    spec: { containers: [{ name: web, image: nginx, resources: { requests: { cpu: 100m } } }] }
`;

const autoscaler = `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 2
  maxReplicas: 6
  metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 50 } } }]
`;

test(
  'an autoscaler follows the load that pods are said to have',
  withCluster(async (cluster) => {
    const deployments = cluster.client.resource<KubeObject & { spec: { replicas: number } }>(
      'apps/v1',
      'deployments',
    );
    const replicas = async () => (await deployments.namespace('default').get('web')).spec.replicas;

    await cluster.apply(`${loaded('200m')}---${autoscaler}`);
    await cluster.eventually(async () => (await replicas()) === 6, { within: '5m' });
    const measured = cluster.client.resource<Measured>('metrics.k8s.io/v1beta1', 'pods');
    const { items } = await measured.namespace('default').list();
    expect(items.map(({ containers }) => containers[0]?.usage.cpu)).toContain('200m');

    await cluster.apply(loaded('10m'));
    await cluster.eventually(async () => (await replicas()) === 2, { within: '30m' });
  }),
);
