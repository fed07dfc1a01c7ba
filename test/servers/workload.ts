/** A deployment that grows, on nodes that are objects only: whether managers and schedulers work. */
import { until, type ApiServer } from '../one-etcd/servers.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const mergePatch = 'application/merge-patch+json';
const answerMsMax = 5_000;

export class Workload {
  #replicas = 0;

  static async begin(servers: readonly ApiServer[]): Promise<Workload> {
    const [first] = servers;
    for (const name of ['node-a', 'node-b']) await addNode(first!, name);
    await first!.send('POST', deployments, deployment(0));
    const workload = new Workload();
    await workload.mustGoOn(servers, 60_000);
    return workload;
  }

  /** One replica more is made, and bound. @param servers any of which is asked */
  async mustGoOn(servers: readonly ApiServer[], msMax: number): Promise<void> {
    // Not for ever more.
    this.#replicas = (this.#replicas % 20) + 1;
    const wanted = this.#replicas;
    const scale = async ([server]: readonly ApiServer[]): Promise<boolean> => {
      const body = { spec: { replicas: wanted } };
      const answer = await server!.send('PATCH', `${deployments}/work`, body, mergePatch, answerMsMax);
      return answer.status === 200;
    };
    await until('the deployment to be scaled', () => scale(servers), msMax);
    await until(`${wanted} pods that are bound`, () => isBound(servers[0]!, wanted), msMax);
  }
}

async function isBound(server: ApiServer, wanted: number): Promise<boolean> {
  const pods = await server.send('GET', '/api/v1/namespaces/default/pods', undefined, undefined, answerMsMax);
  const items = pods.json.items as readonly {
    readonly metadata: { readonly deletionTimestamp?: string };
    readonly spec: { readonly nodeName?: string };
  }[];
  const bound = items.filter(({ metadata, spec }) => spec.nodeName && !metadata.deletionTimestamp);
  return bound.length === wanted;
}

async function addNode(server: ApiServer, name: string): Promise<void> {
  const resources = { cpu: '8', memory: '16Gi', pods: '110' };
  const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }];
  const status = { capacity: resources, allocatable: resources, conditions };
  await server.send('POST', '/api/v1/nodes', { metadata: { name }, status });
  await server.send('PATCH', `/api/v1/nodes/${name}/status`, { status }, mergePatch);
  // Given to all new nodes until somebody says that they are ready.
  await server.send('PATCH', `/api/v1/nodes/${name}`, { spec: { taints: null } }, mergePatch);
}

const deployment = (replicas: number): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'work' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'work' } },
    template: {
      metadata: { labels: { app: 'work' } },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'i' }] },
    },
  },
});
