/**
 * How many pods per second of CPU the scheduler alone places on 5,000 nodes, in the workloads of the original's
 * scheduler_perf: `node bench/scheduler.ts [workload]`. Calls to the API are answered at once and cost nothing.
 */
import { seededRandom, systemClock } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { profilesOf } from '@coxswain/kube-scheduler/config/profiles.ts';
import type { SchedulerApi } from '@coxswain/kube-scheduler/framework/scheduler-api.ts';
import { ObjectTables } from '@coxswain/kube-scheduler/object-tables.ts';
import { Scheduler } from '@coxswain/kube-scheduler/scheduler.ts';
import {
  nodeCount,
  nodeObject,
  podObject,
  schedulerWorkloads,
  type PodGroup,
  type SchedulerWorkload,
} from './scheduler-workloads.ts';

/** Answers calls as the API server would, and informs the scheduler of the results. */
function instantApi(live: Map<string, Pod>, scheduler: () => Scheduler): SchedulerApi {
  const change = (uid: string, after: Pod | undefined) => {
    const before = live.get(uid);
    if (after === undefined) live.delete(uid);
    else live.set(uid, after);
    scheduler().podChanged(before, after);
  };
  const never = () => Promise.reject(new Error('no workload does this'));
  return {
    async bind({ metadata: { uid = '' } = {} }, nodeName) {
      const pod = live.get(uid)!;
      change(uid, { ...pod, spec: { ...pod.spec!, nodeName } });
    },
    async patchPodStatus({ metadata: { uid = '' } = {} }, { condition, nominatedNodeName }) {
      const pod = live.get(uid);
      if (pod === undefined) return;
      const conditions = condition === undefined ? pod.status?.conditions : [condition];
      const nominated = nominatedNodeName ?? pod.status?.nominatedNodeName;
      change(uid, {
        ...pod,
        status: {
          ...pod.status,
          ...(conditions && { conditions }),
          ...(nominated && { nominatedNodeName: nominated }),
        },
      } as Pod);
    },
    async deletePod({ metadata: { uid = '' } = {} }) {
      change(uid, undefined);
    },
    selectNodeForClaim: never,
    bindVolume: never,
    claimBound: never,
    resourceClaim: never,
    createResourceClaim: never,
    deleteResourceClaim: never,
    updateResourceClaim: never,
    updateResourceClaimStatus: never,
    unreserveResourceClaim: never,
    event() {},
  };
}

async function run(workload: SchedulerWorkload): Promise<void> {
  const live = new Map<string, Pod>();
  const scheduler: Scheduler = new Scheduler({
    api: instantApi(live, () => scheduler),
    objects: new ObjectTables(),
    profiles: profilesOf(undefined),
    clock: systemClock,
    random: seededRandom(1),
  });
  for (let index = 0; index < nodeCount; index++) {
    scheduler.nodeChanged(undefined, nodeObject(index, workload) as unknown as Node);
  }
  const place = async (prefix: string, group: PodGroup): Promise<number> => {
    const names: string[] = [];
    for (let index = 0; index < group.count; index++) {
      const uid = `${prefix}-${index}`;
      const pod = structuredClone(podObject(uid, group)) as unknown as Pod;
      Object.assign(pod.metadata!, { uid, generation: 1 });
      live.set(uid, pod);
      scheduler.podChanged(undefined, pod);
      names.push(uid);
    }
    const usage = process.cpuUsage();
    const waiting = () => names.filter((uid) => !live.get(uid)?.spec?.nodeName).length;
    do {
      let tried = 0;
      // As the scheduler's own loop does, to let bindings proceed.
      while (scheduler.scheduleNext()) if (++tried % 64 === 0) await scheduler.settled();
      await scheduler.settled();
    } while (group.spec !== undefined && waiting() > 0);
    const { user, system } = process.cpuUsage(usage);
    return (user + system) / 1e6;
  };
  await place('before', workload.before);
  const seconds = await place('measured', workload.measured);
  const { count } = workload.measured;
  const perSecond = count / seconds;
  console.log(
    `${workload.name.padEnd(22)}${perSecond.toFixed(0).padStart(8)} pods/CPU-s` +
      `${((seconds / count) * 1e6).toFixed(0).padStart(8)} µs a pod` +
      `${(perSecond / workload.floor).toFixed(1).padStart(8)} × the floor of ${workload.floor}`,
  );
}

const [wanted] = process.argv.slice(2);
for (const workload of schedulerWorkloads)
  if (wanted === undefined || wanted === workload.name) await run(workload);
