/**
 * Our scheduler and the original's, each in turn as a program against the original's API server and etcd, which get
 * new data for each: `PEERS_BIN=… node bench/scheduler-beside-go.ts [workload,workload] [share of the pods, 1]`.
 * What counts is the CPU time of the scheduler for each pod: on a small machine the API server, and whoever creates
 * the pods, leave it idle most of the time.
 */
import path from 'node:path';
import {
  atOnce,
  cpuSeconds,
  residentBytes,
  start,
  startRealServer,
  stopped,
  until,
  type RealServer,
} from './real-server.ts';
import {
  nodeCount,
  nodeObject,
  podObject,
  schedulerWorkloads,
  type PodGroup,
  type SchedulerWorkload,
} from './scheduler-workloads.ts';

const [names, shareText] = process.argv.slice(2);
const share = Number(shareText ?? 1);
const width = 32;
const ours = process.env['COXSWAIN_SCHEDULER'] ?? path.resolve('packages/coxswain/assets/kube-scheduler');
const contestants = [
  { name: 'original', program: 'kube-scheduler' },
  { name: 'coxswain', program: ours },
];
const disabled = '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition,Priority';

async function place(server: RealServer, prefix: string, group: PodGroup, count: number): Promise<void> {
  const { namespace } = group;
  await atOnce(count, width, (index) =>
    server.call('POST', `/api/v1/namespaces/${namespace}/pods`, podObject(`${prefix}-${index}`, group)),
  );
  const query = 'fieldSelector=spec.nodeName%3D&limit=1&resourceVersion=0';
  await until(async () => {
    const list = await server.call<{ items: unknown[] }>(
      'GET',
      `/api/v1/namespaces/${namespace}/pods?${query}`,
    );
    return list.items.length === 0;
  });
}

async function run(
  workload: SchedulerWorkload,
  { name, program }: (typeof contestants)[number],
): Promise<void> {
  const server = await startRealServer([disabled]);
  try {
    for (const namespace of ['sched-0', 'sched-1'])
      await server.call('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    await atOnce(nodeCount, width, (index) =>
      server.call('POST', '/api/v1/nodes', nodeObject(index, workload)),
    );
    const scheduler = start(program, [
      `--kubeconfig=${server.kubeconfig}`,
      '--leader-elect=false',
      '--secure-port=0',
      '--kube-api-qps=10000',
      '--kube-api-burst=10000',
    ]);
    try {
      await place(
        server,
        'before',
        workload.before,
        Math.round(workload.before.count * (workload.name === 'Preemption' ? 1 : share)),
      );
      const [beganMs, began] = [performance.now(), cpuSeconds(scheduler.pid!)];
      const count = Math.round(workload.measured.count * share);
      await place(server, 'measured', workload.measured, count);
      const wall = (performance.now() - beganMs) / 1000;
      const cpu = cpuSeconds(scheduler.pid!) - began;
      console.log(
        `${workload.name.padEnd(22)}${name.padEnd(10)}${((cpu / count) * 1e6).toFixed(0).padStart(7)} µs CPU a pod` +
          `${(count / cpu).toFixed(0).padStart(8)} pods/CPU-s${(count / wall).toFixed(0).padStart(7)} pods/s` +
          `${(residentBytes(scheduler.pid!) / 1e6).toFixed(0).padStart(6)} MB`,
      );
    } finally {
      await stopped(scheduler);
    }
  } finally {
    await server.stop();
  }
}

for (const workload of schedulerWorkloads) {
  if (names !== undefined && !names.split(',').includes(workload.name)) continue;
  for (const contestant of contestants) await run(workload, contestant);
}
