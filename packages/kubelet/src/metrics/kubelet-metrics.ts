/** The metrics of a real kubelet, with upstream's names. */
import type { Clock } from '@coxswain/apimachinery';
import { growingBounds } from '@coxswain/apimachinery/metrics/growing-bounds.ts';
import {
  Metrics,
  type Counter,
  type Histogram,
  type Sample,
} from '@coxswain/apimachinery/metrics/metrics.ts';
import { describeProcess } from '@coxswain/apimachinery/metrics/process-metrics.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { describeProgram } from '@coxswain/component-base/program-metrics.ts';
import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { ContainerExit, ProbeKind } from '../runtime.ts';
import { isOfNode, seenAnnotation } from '../pod/pod-source.ts';
import { describeUnused } from './unused-metrics.ts';

/** In seconds; the default buckets of Prometheus clients. */
const defaultBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const startBounds = [
  0.5, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 45, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200, 1800, 2700,
  3600,
];
const statusBounds = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 20, 30, 45, 60];
const containersBounds = growingBounds(1, 2, 5);

export interface KubeletMetricsOptions {
  readonly clock: Clock;
  readonly nodeName: string;
  /** Feature gates that were set explicitly. */
  readonly features: Readonly<Record<string, boolean>>;
}

/** Values that are computed on each scrape. */
export interface KubeletReadings {
  readonly pods: () => readonly Pod[];
  readonly activePods: () => readonly Pod[];
  readonly cgroupVersion: 1 | 2;
  readonly millicores: number;
}

export type StreamOperation = 'exec' | 'attach' | 'portforward';
export type ContainerType = 'container' | 'init_container' | 'ephemeral_container';

export class KubeletMetrics {
  readonly metrics = new Metrics();
  /** Served at `/metrics/probes`, separately because it grows with the number of pods. */
  readonly probes = new Metrics({ describesItself: false });
  readonly #clock: Clock;
  /** Of all pods, and of those with user namespaces. */
  readonly #startedPods: readonly Counter[];
  readonly #failedPods: readonly Counter[];
  #relistedAtMs: number | undefined;
  readonly #relist: Histogram;
  readonly #relistInterval: Histogram;
  readonly #statusSync: Histogram;
  readonly #start: Histogram;
  readonly #startTotal: Histogram;
  readonly #containersPerPod: Histogram;
  readonly #seen = new Set<string>();
  readonly #ran = new Set<string>();

  constructor({ clock, nodeName, features }: KubeletMetricsOptions) {
    const { metrics } = this;
    this.#clock = clock;
    const settings = Object.entries(features).map(([name, isOn]) => `${name}=${isOn}`);
    describeProgram(metrics, featureGates(settings));
    describeProcess(metrics);
    const counters = (suffix: string, help: string): readonly Counter[] =>
      ['pods', 'user_namespaced_pods'].map((kind) =>
        metrics.counter(`kubelet_started_${kind}${suffix}`, help),
      );
    this.#startedPods = counters('_total', 'Attempts to start pods.');
    this.#failedPods = counters('_errors_total', 'Pods that could not be started.');
    metrics.gauge('kubelet_node_name', "The node's name; always 1.", { node: nodeName }).set(1);
    const seconds = (name: string, help: string, bounds: readonly number[] = defaultBounds) =>
      metrics.histogram(`kubelet_${name}_seconds`, help, bounds);
    this.#relist = seconds('pleg_relist_duration', 'How long it takes to list what the runtime has.');
    this.#relistInterval = seconds('pleg_relist_interval', 'Time between two readings of the runtime.');
    this.#statusSync = seconds(
      'pod_status_sync_duration',
      'How long a write of a status takes.',
      statusBounds,
    );
    this.#start = seconds('pod_start_duration', 'From a pod being seen to its running.', startBounds);
    this.#startTotal = seconds(
      'pod_start_total_duration',
      'From a pod’s creation to its running.',
      startBounds,
    );
    this.#containersPerPod = metrics.histogram(
      'kubelet_containers_per_pod_count',
      'Number of containers per pod.',
      containersBounds,
    );
    metrics.reading('gauge', 'kubelet_pleg_last_seen_seconds', 'When the runtime was read last.', {}, () =>
      this.#relistedAtMs === undefined ? 0 : this.#relistedAtMs / 1000,
    );
    describeUnused(metrics);
  }

  describe({ pods, activePods, cgroupVersion, millicores }: KubeletReadings): void {
    const gauge = (name: string, help: string, read: () => Iterable<Sample>) =>
      this.metrics.samples('gauge', `kubelet_${name}`, help, read);
    const one = (value: number): Sample[] => [{ labels: {}, value }];
    const byKind = (all: readonly Pod[]): Sample[] =>
      ['', 'true'].map((isStatic) => ({
        labels: { static: isStatic },
        value: all.filter((pod) => isOfNode(pod) === (isStatic === 'true')).length,
      }));
    const running = () => pods().filter(({ status }) => status?.phase === 'Running');
    gauge('running_pods', 'Pods that run.', () => one(running().length));
    gauge('running_containers', 'Containers, by state.', () => containerStates(pods()));
    gauge('desired_pods', 'Pods that are to run.', () => byKind(pods()));
    gauge('active_pods', 'Pods that take room on the node.', () => byKind(activePods()));
    gauge('mirror_pods', 'Pods of the API that stand for those of files.', () =>
      one(pods().filter(isOfNode).length),
    );
    gauge('managed_ephemeral_containers', 'Ephemeral containers of all pods.', () =>
      one(pods().reduce((sum, { spec }) => sum + (spec?.ephemeralContainers?.length ?? 0), 0)),
    );
    gauge('working_pods', 'Pods that are looked after, by stage.', () => workingPods(pods(), activePods()));
    gauge('cgroup_version', 'Of the machine: 1 or 2.', () => one(cgroupVersion));
    gauge('cpu_manager_shared_pool_size_millicores', 'Processors that no container has alone.', () =>
      one(millicores),
    );
  }

  /** @param tookMs the duration of one reading of the runtime */
  relisted(tookMs: number): void {
    const nowMs = this.#clock.now();
    this.#relist.observe(tookMs / 1000);
    if (this.#relistedAtMs !== undefined) this.#relistInterval.observe((nowMs - this.#relistedAtMs) / 1000);
    this.#relistedAtMs = nowMs;
  }

  statusWritten(tookMs: number): void {
    this.#statusSync.observe(tookMs / 1000);
  }

  /** Counts a stream whose WebSocket is translated for the runtime. */
  translated(subresource: StreamOperation): void {
    const help = 'Streams that came through WebSockets of newer clients.';
    this.metrics.counter('kubelet_websocket_streaming_requests_total', help, { subresource }).add();
  }

  podSeen(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    if (this.#seen.has(uid)) return;
    this.#seen.add(uid);
    this.#containersPerPod.observe(pod.spec?.containers.length ?? 0);
  }

  /** Called for each status; the first with a running pod counts. */
  podReported(pod: Pod, phase: string | undefined): void {
    const uid = pod.metadata?.uid ?? '';
    if (phase !== 'Running' || this.#ran.has(uid)) return;
    this.#ran.add(uid);
    // Start times of pods started by an earlier kubelet are unknown.
    if (pod.status?.phase === 'Running') return;
    const nowMs = this.#clock.now();
    const seenMs = Date.parse(pod.metadata?.annotations?.[seenAnnotation] ?? '');
    this.#start.observe((nowMs - seenMs) / 1000);
    this.#startTotal.observe((nowMs - Date.parse(pod.metadata?.creationTimestamp ?? '')) / 1000);
  }

  podGone(pod: Pod): void {
    this.#seen.delete(pod.metadata?.uid ?? '');
    this.#ran.delete(pod.metadata?.uid ?? '');
  }

  /** An attempt to start a pod, which may fail. */
  podStarted(hasOwnUsers: boolean): void {
    for (const counter of this.#startedPods.slice(0, hasOwnUsers ? 2 : 1)) counter.add();
  }

  podStartFailed(hasOwnUsers: boolean): void {
    for (const counter of this.#failedPods.slice(0, hasOwnUsers ? 2 : 1)) counter.add();
  }

  /** The sandbox of a pod with its own users was created, but a container didn't start: upstream counts only these. */
  podWithUsersFailed(): void {
    this.#failedPods[1]?.add();
  }

  containerStarted(type: ContainerType | 'podsandbox', failure?: string): void {
    if (failure === undefined)
      this.metrics.counter('kubelet_started_containers_total', startedHelp, { container_type: type }).add();
    else {
      const labels = { container_type: type, code: failure };
      this.metrics.counter('kubelet_started_containers_errors_total', failedHelp, labels).add();
    }
  }

  containerEnded(
    type: ContainerType,
    { exitCode, reason }: Pick<ContainerExit, 'exitCode' | 'reason'>,
  ): void {
    const labels = { container_type: type, exit_code: String(exitCode), reason };
    this.metrics.counter('kubelet_terminated_containers_total', 'Terminated containers.', labels).add();
  }

  preempted(resource: string): void {
    const help = 'Pods that ended to make room for a critical one, by what was short.';
    this.metrics.counter('kubelet_preemptions', help, { preemption_signal: resource }).add();
  }

  probed(pod: Pod, container: string, kind: ProbeKind, success: boolean, tookMs: number): void {
    const { name: podName = '', namespace = '', uid = '' } = pod.metadata ?? {};
    const labels = { container, namespace, pod: podName, probe_type: kind };
    const counted = { ...labels, pod_uid: uid, result: success ? 'successful' : 'failed' };
    this.probes.counter('prober_probe_total', 'Probes, by result.', counted).add();
    this.probes
      .histogram('prober_probe_duration_seconds', 'Duration of probes in seconds.', defaultBounds, labels)
      .observe(tookMs / 1000);
  }
}

const startedHelp = 'Containers that were started.';
const failedHelp = 'Containers that could not be started.';

export function containerTypeOf({ spec }: Pod, name: string): ContainerType {
  if (spec?.initContainers?.some((each) => each.name === name)) return 'init_container';
  return spec?.ephemeralContainers?.some((each) => each.name === name) ? 'ephemeral_container' : 'container';
}

function containerStates(pods: readonly Pod[]): Sample[] {
  const counts = new Map([
    ['running', 0],
    ['exited', 0],
  ]);
  for (const { status } of pods)
    for (const { state } of [
      ...(status?.initContainerStatuses ?? []),
      ...(status?.containerStatuses ?? []),
    ]) {
      const kind = state?.running ? 'running' : state?.terminated ? 'exited' : undefined;
      if (kind !== undefined) counts.set(kind, counts.get(kind)! + 1);
    }
  return [...counts].map(([state, value]) => ({ labels: { container_state: state }, value }));
}

function workingPods(pods: readonly Pod[], active: readonly Pod[]): Sample[] {
  const takesRoom = new Set(active.map(({ metadata }) => metadata?.uid));
  const counts = new Map<string, number>();
  for (const pod of pods) {
    const stage = pod.metadata?.deletionTimestamp
      ? 'terminating'
      : takesRoom.has(pod.metadata?.uid)
        ? 'sync'
        : 'terminated';
    const key = `${stage} ${isOfNode(pod)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return ['sync', 'terminating', 'terminated'].flatMap((lifecycle) =>
    [false, true].map((isStatic) => ({
      labels: { config: 'desired', lifecycle, static: isStatic ? 'true' : '' },
      value: counts.get(`${lifecycle} ${isStatic}`) ?? 0,
    })),
  );
}
