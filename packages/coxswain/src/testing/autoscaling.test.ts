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

/** Kubernetes' walkthrough of the autoscaler, with fewer requests. */
const walkthrough = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: registry.k8s.io/hpa-example
          ports: [{ containerPort: 80 }]
          resources: { requests: { cpu: 20m } }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  minReplicas: 1
  maxReplicas: 10
  metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 50 } } }]
---
apiVersion: v1
kind: Pod
metadata: { name: load-generator }
spec:
  containers:
    - name: generator
      image: busybox
      command: [sh, -c, while sleep 0.2; do wget -q -O- http://web; done]
`;

test(
  'an autoscaler follows requests, and their end',
  withCluster(async (cluster) => {
    const deployments = cluster.client.resource<KubeObject & { spec: { replicas: number } }>(
      'apps/v1',
      'deployments',
    );
    const replicas = async () => (await deployments.namespace('default').get('web')).spec.replicas;

    await cluster.apply(walkthrough);
    await cluster.eventually(async () => (await replicas()) >= 3, { within: '5m' });

    await cluster.client.resource('v1', 'pods').namespace('default').delete('load-generator');
    await cluster.eventually(async () => (await replicas()) === 1, { within: '30m' });
  }),
);
