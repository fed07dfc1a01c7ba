/** What is asked of the cluster, and changed on the way. */

import type { KubeObject, Random } from '@coxswain/apimachinery';
import type { TestCluster } from '../../packages/coxswain/src/testing/index.ts';

export interface Workloads {
  objects(): readonly KubeObject[];
  /** Changes what is wanted, and tells how. */
  change(random: Random): string;
  areThere(cluster: TestCluster): Promise<boolean>;
  summary(cluster: TestCluster): Promise<string>;
}

export const maxSurge = 2;
export const quotaPods = 24;

interface Wanted {
  replicas: number;
  image: number;
  members: number;
}

export function workloads(): Workloads {
  const wanted: Wanted = { replicas: 5, image: 1, members: 3 };
  return {
    objects: () => [quota, deployment(wanted), statefulSet(wanted), job] as readonly KubeObject[],
    change(random) {
      const kind = Math.floor(random.next() * 3);
      if (kind === 0) wanted.image++;
      else if (kind === 1) wanted.replicas = 1 + Math.floor(random.next() * 8);
      else wanted.members = 1 + Math.floor(random.next() * 4);
      return `wanted are ${wanted.replicas} of image ${wanted.image} and ${wanted.members} members`;
    },
    async areThere(cluster) {
      const web = await statusOf(cluster, 'deployments', 'web');
      const db = await statusOf(cluster, 'statefulsets', 'db');
      const work = await statusOf(cluster, 'jobs', 'work');
      const { items } = await cluster.client.resource('v1', 'pods').namespace('default').list();
      return (
        web['updatedReplicas'] === wanted.replicas &&
        web['availableReplicas'] === wanted.replicas &&
        web['replicas'] === wanted.replicas &&
        db['readyReplicas'] === wanted.members &&
        db['replicas'] === wanted.members &&
        work['succeeded'] === 4 &&
        items.every(({ metadata }) => metadata.deletionTimestamp === undefined)
      );
    },
    async summary(cluster) {
      const { items } = await cluster.client.resource('v1', 'pods').namespace('default').list();
      const running = items.filter(({ metadata }) => metadata.labels?.['job-name'] === undefined);
      return `${wanted.replicas} ${wanted.image} ${wanted.members}: ${running.length} pods`;
    },
  };
}

async function statusOf(cluster: TestCluster, resource: string, name: string) {
  const version = resource === 'jobs' ? 'batch/v1' : 'apps/v1';
  const object = await cluster.client.resource(version, resource).namespace('default').get(name);
  return (object as { readonly status?: Readonly<Record<string, unknown>> }).status ?? {};
}

const meta = (name: string) => ({ name, namespace: 'default' });
const quota = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: meta('quota'),
  spec: { hard: { pods: String(quotaPods) } },
};

const template = (app: string, image: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'main', image }] },
});

const deployment = ({ replicas, image }: Wanted) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: meta('web'),
  spec: {
    replicas,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable: 1 } },
    selector: { matchLabels: { app: 'web' } },
    template: template('web', `web:${image}`),
  },
});

const statefulSet = ({ members }: Wanted) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: meta('db'),
  spec: {
    replicas: members,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: template('db', 'db:1'),
  },
});

const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: meta('work'),
  spec: {
    completions: 4,
    parallelism: 2,
    completionMode: 'Indexed',
    backoffLimit: 100,
    template: {
      metadata: { annotations: { 'sim.coxswain.io/run': 'succeed:2m' } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'work:1' }] },
    },
  },
};
