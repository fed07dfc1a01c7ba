/**
 * The same deployments as `deployment.ts`, on the original's etcd, API server, controllers and scheduler with their
 * client limits raised, and kwok with its fast stages for the nodes:
 * `PEERS_BIN=… KWOK_SOURCE=… node bench/deployment-beside-go.ts [1] [1000] [100]`.
 */
import { homedir } from 'node:os';
import path from 'node:path';
import { atOnce, cpuSeconds, residentBytes, start, startRealServer, stopped, until } from './real-server.ts';

const [deployments = 1, replicas = 1_000, nodes = 100] = process.argv.slice(2).map(Number);
const width = 32;
const source = process.env['KWOK_SOURCE'] ?? path.join(homedir(), 'go/pkg/mod/sigs.k8s.io/kwok@v0.8.0');
const stages = [
  'node/fast/node-initialize.yaml',
  'node/heartbeat-with-lease/node-heartbeat-with-lease.yaml',
  'pod/fast/pod-ready.yaml',
  'pod/fast/pod-complete.yaml',
  'pod/fast/pod-delete.yaml',
].map((file) => `--config=${path.join(source, 'kustomize/stage', file)}`);

const server = await startRealServer();
const common = [`--kubeconfig=${server.kubeconfig}`];
const unlimited = ['--kube-api-qps=2000', '--kube-api-burst=2000', '--leader-elect=false', '--secure-port=0'];
const parts = [
  start('kube-controller-manager', [
    ...common,
    ...unlimited,
    `--service-account-private-key-file=${server.directory}/sa.key`,
  ]),
  start('kube-scheduler', [...common, ...unlimited]),
  start('kwok', [...common, ...stages, '--manage-all-nodes=true', '--node-lease-duration-seconds=40']),
];
const pids = [...server.pids, ...parts.map(({ pid }) => pid!)];
const cpu = () => pids.map(cpuSeconds);
const resident = () => `${(pids.reduce((sum, pid) => sum + residentBytes(pid), 0) / 1e6).toFixed(0)} MB`;
const amounts = { cpu: '32', memory: '256Gi', pods: '110' };

interface Deployments {
  readonly items: readonly { readonly status?: { readonly availableReplicas?: number } }[];
}
interface Nodes {
  readonly items: readonly { readonly spec: { readonly taints?: readonly unknown[] } }[];
}

try {
  await atOnce(nodes, width, (index) =>
    server.call('POST', '/api/v1/nodes', {
      metadata: { name: `node-${index}`, labels: { 'kubernetes.io/hostname': `node-${index}` } },
      status: { capacity: amounts, allocatable: amounts },
    }),
  );
  await until(async () => {
    const { items } = await server.call<Nodes>('GET', '/api/v1/nodes?resourceVersion=0');
    return items.every(({ spec }) => spec.taints === undefined);
  });
  await until(async () => {
    await server.call('GET', '/api/v1/namespaces/default/serviceaccounts/default');
    return true;
  });
  console.log(`${nodes} nodes: ${resident()}`);
  const [beganMs, began] = [performance.now(), cpu()];
  await atOnce(deployments, width, (index) => {
    const labels = { app: `web-${index}` };
    return server.call('POST', '/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: `web-${index}` },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
      },
    });
  });
  const pods = deployments * replicas;
  await until(async () => {
    const { items } = await server.call<Deployments>('GET', '/apis/apps/v1/namespaces/default/deployments');
    return items.reduce((sum, { status }) => sum + (status?.availableReplicas ?? 0), 0) >= pods;
  }, 100);
  const wall = (performance.now() - beganMs) / 1000;
  const spent = cpu().map((seconds, index) => seconds - began[index]!);
  const sum = spent.reduce((total, seconds) => total + seconds, 0);
  console.log(
    `${deployments} × ${replicas} replicas available: ${wall.toFixed(2)} s, ${sum.toFixed(2)} CPU-s ` +
      `(etcd, API server, controllers, scheduler, kwok: ${spent.map((one) => one.toFixed(1)).join(', ')}), ` +
      `${((sum / pods) * 1000).toFixed(2)} ms CPU a pod, ${resident()}`,
  );
} finally {
  for (const part of parts) await stopped(part);
  await server.stop();
}
