/** The environment of a kubelet: the machine, its cgroups, the container runtime, and the resources for pods. */
import type { Clock } from '@coxswain/apimachinery';
import { cgroupDriver, type CgroupDriver } from '../cgroups/cgroup-driver.ts';
import { PodCgroups } from '../cgroups/pod-cgroups.ts';
import type { KubeletSettings } from '../config/kubelet-configuration.ts';
import { bytesOfAmount, milliCpuOf, type MachineLimits } from '../resources/linux-resources.ts';
import type { KubeletDirectories } from '../pod-paths.ts';
import { countedCri } from '../cri/counted-cri.ts';
import { connectCri, type Cri } from '../cri/cri-client.ts';
import { hardThresholdsOf } from '../eviction/hard-thresholds.ts';
import { directoriesOf } from '../kubelet-directories.ts';
import { KubeletMetrics } from '../metrics/kubelet-metrics.ts';
import { nodeCapacity } from '../node/capacity.ts';
import { filesystemUse, machineLimits, readMachine, type Machine } from '../node/machine.ts';
import { plainVersion } from '../node/runtime-version.ts';
import type { RealKubeletOptions } from '../config/real-kubelet-options.ts';

export interface NodeEnvironment {
  readonly directories: KubeletDirectories;
  readonly machine: Machine;
  readonly limits: MachineLimits;
  readonly driver: CgroupDriver;
  readonly cgroups: PodCgroups;
  readonly metrics: KubeletMetrics;
  readonly cri: Cri;
  /** The runtime's name (such as `containerd`) and version as it reports them, and both as in the node's status. */
  readonly runtime: { readonly name: string; readonly version: string; readonly reported: string };
  readonly thresholds: ReturnType<typeof hardThresholdsOf>;
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
}

/** @throws the runtime's error if it can't be reached */
export async function readNodeEnvironment(
  options: RealKubeletOptions,
  clock: Clock,
): Promise<NodeEnvironment> {
  const { settings, nodeName } = options;
  const directories = directoriesOf(options);
  const machine = readMachine();
  const metrics = new KubeletMetrics({ clock, nodeName, features: settings.featureGates });
  const connection = connectCri({
    endpoint: settings.containerRuntimeEndpoint,
    clock,
    timeoutMs: settings.runtimeRequestTimeout,
  });
  const cri = countedCri(connection, metrics.metrics, clock, options.observer);
  const { runtimeName: name, runtimeVersion: version } = await cri.version({ version: 'v1' });
  const thresholds = hardThresholdsOf(settings);
  const { capacityBytes } = filesystemUse(directories.root);
  const driver = cgroupDriver();
  return {
    directories,
    machine,
    limits: limitsOf(machine, settings),
    driver,
    cgroups: await preparedCgroups(machine, settings, driver, clock),
    metrics,
    cri,
    runtime: { name, version, reported: `${name}://${plainVersion(version)}` },
    thresholds,
    ...nodeCapacity(machine, capacityBytes, settings, thresholds),
  };
}

const microsecondsOf = (ms: number): number => ms * 1000;

const limitsOf = (machine: Machine, settings: KubeletSettings): MachineLimits =>
  machineLimits(machine, {
    cpuCfsQuota: settings.cpuCFSQuota,
    cpuCfsQuotaPeriodUs: microsecondsOf(settings.cpuCFSQuotaPeriod),
    killsGroup: settings.singleProcessOOMKill !== true,
  });

async function preparedCgroups(
  machine: Machine,
  settings: KubeletSettings,
  driver: CgroupDriver,
  clock: Clock,
): Promise<PodCgroups> {
  const cgroups = new PodCgroups({
    driver,
    clock,
    root: settings.cgroupRoot || '/',
    cpuCfsQuota: settings.cpuCFSQuota,
    cpuPeriodUs: microsecondsOf(settings.cpuCFSQuotaPeriod),
    podPidsMax: settings.podPidsLimit,
  });
  // Pods together may also use what eviction keeps free on the node.
  const forPods = nodeCapacity(machine, 0, settings, {}).allocatable;
  await cgroups.prepare({ milliCpu: milliCpuOf(forPods) ?? 0, memoryBytes: bytesOfAmount(forPods) });
  return cgroups;
}
