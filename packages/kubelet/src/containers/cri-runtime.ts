/** Real containers: carries out the kubelet's decisions with a container runtime over the CRI. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { LifecycleHandler, Probe } from '@coxswain/api/core/v1/probe.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ExecStreams, LogOptions } from '../connection.ts';
import { recordOf } from '../cri/shared-messages.ts';
import { containerTypeOf, type KubeletMetrics } from '../metrics/kubelet-metrics.ts';
import {
  RuntimeFailure,
  type HookKind,
  type ImageInfo,
  type KnownPod,
  type ProbeKind,
  type ProbeResult,
  type ResizedContainer,
  type Runtime,
  type RuntimeListener,
  type Sandbox,
  type StartedContainer,
  type StartRequest,
} from '../runtime.ts';
import { ContainerAccess } from './container-access.ts';
import { hasEnded, millisecondsOf, userOf, type CriContainerStatus } from './container-exit.ts';
import { linkLog } from './container-log-link.ts';
import { podUidLabel } from './labels.ts';
import { LiveContainers } from './live-containers.ts';
import { persist, type Persistence } from '../cri/persist.ts';
import { containerLogLink, containerLogPath, podLogDirectory } from '../pod-paths.ts';
import { PodRemoval, stopExtraMs, stopSecondsMin } from './pod-removal.ts';
import { PodSandboxes } from './pod-sandboxes.ts';
import { Relist, isReady, podUidOf } from './relist.ts';
import { resizePod } from './resize-pod.ts';
import { RuntimeRequests, type RuntimeRequestsOptions } from './runtime-requests.ts';

export interface CriRuntimeOptions extends RuntimeRequestsOptions, Persistence {
  /** The name and version of the runtime, such as `containerd`. */
  readonly name: string;
  readonly version: string;
  /** Resolves when network policies protect all containers of the pod. */
  readonly protect?: ((pod: Pod, addresses: readonly string[]) => Promise<void>) | undefined;
  readonly health: (error: unknown) => void;
  readonly metrics?: RuntimeMetrics;
}

/** The metrics that are updated here. */
export type RuntimeMetrics = Pick<
  KubeletMetrics,
  | 'relisted'
  | 'podStarted'
  | 'podStartFailed'
  | 'podWithUsersFailed'
  | 'containerStarted'
  | 'containerEnded'
  | 'probed'
>;

export class CriRuntime implements Runtime {
  readonly outlivesKubelet = true;
  readonly enforcesResources = true;
  readonly relist: Relist;
  readonly access: ContainerAccess;
  readonly #options: CriRuntimeOptions;
  readonly #requests: RuntimeRequests;
  readonly #sandboxes: PodSandboxes;
  readonly #live: LiveContainers;
  readonly #removal: PodRemoval;
  /** Containers that existed when the kubelet started, until their pods are adopted. */
  readonly #found = new Map<string, CriContainerStatus[]>();
  #listener: RuntimeListener | undefined;

  constructor(options: CriRuntimeOptions) {
    this.#options = options;
    const { cri, clock, signal, health } = options;
    this.relist = new Relist({
      cri,
      clock,
      signal,
      health,
      measured: (tookMs) => options.metrics?.relisted(tookMs),
      listed: (alive) => this.#live.reportEnds(alive),
      sandboxLost: (podUid, id) => this.#listener?.sandboxLost?.(podUid, id),
    });
    const run = (work: Promise<unknown>): void => this.#run(work);
    const exited: RuntimeListener['exited'] = (id, exit) => this.#listener?.exited(id, exit);
    this.#live = new LiveContainers({ cri, clock, run, exited, metrics: options.metrics });
    this.#requests = new RuntimeRequests(options);
    const { relist } = this;
    this.#sandboxes = new PodSandboxes({ ...options, requests: this.#requests, relist });
    this.#removal = new PodRemoval({ ...options, live: this.#live, relist, run });
    this.access = new ContainerAccess({ ...options, live: this.#live });
  }

  get name(): string {
    return this.#options.name;
  }

  get version(): string {
    return this.#options.version;
  }

  /** Reads the running containers. @throws the runtime's error */
  async start(): Promise<void> {
    await this.relist.start();
    for (const { id, labels } of this.relist.containers) {
      const uid = recordOf(labels)[podUidLabel] ?? '';
      const status = await this.#live.statusOf(id);
      if (status !== undefined) this.#found.set(uid, [...(this.#found.get(uid) ?? []), status]);
    }
  }

  listen(listener: RuntimeListener): void {
    this.#listener = listener;
  }

  image(name: string, pod: Pod): Promise<ImageInfo | undefined> {
    return this.#options.images.findFor(name, pod);
  }

  pullImage(name: string, pod: Pod, signal: AbortSignal): Promise<ImageInfo> {
    return this.#options.images.pull(name, pod, signal, this.#sandboxes.of(pod)?.config);
  }

  runSandbox(pod: Pod): Promise<Sandbox> {
    return this.#sandboxes.run(pod);
  }

  stopSandbox(sandbox: Sandbox, pod: Pod): Promise<void> {
    return this.#sandboxes.stop(sandbox, pod);
  }

  async removePod(pod: Pod): Promise<void> {
    const uid = pod.metadata?.uid ?? '';
    const { claims } = this.#options;
    await this.#removal.pod(uid);
    // Of a pod whose sandbox could not be created after its claims were prepared.
    if (claims !== undefined) await persist(() => claims.release(uid), this.#options);
    await rm(podLogDirectory(this.#options.directories, pod), { recursive: true, force: true });
    await this.#options.cgroups.remove(pod);
  }

  /** Ends leftovers from an earlier kubelet of pods that no longer belong to this node. */
  removeUnknown(isKnown: (uid: string) => boolean): Promise<void> {
    return this.#removal.unknown(isKnown);
  }

  knownPod(pod: Pod): KnownPod | undefined {
    const uid = pod.metadata?.uid ?? '';
    const statuses = this.#found.get(uid) ?? [];
    const sandbox = this.relist.sandboxes.find((each) => podUidOf(each) === uid && isReady(each));
    this.#found.delete(uid);
    if (sandbox === undefined && statuses.length === 0) return undefined;
    const ips = pod.status?.podIPs?.map(({ ip }) => ip) ?? [];
    const live = sandbox && { id: sandbox.id, ips: pod.spec?.hostNetwork ? [] : ips };
    if (live !== undefined) this.#run(this.#sandboxes.adopt(pod, live, sandbox?.metadata?.attempt ?? 0));
    return { sandbox: live, runs: statuses.map((status) => this.#live.adopt(pod, ips, status)) };
  }

  podChanged(pod: Pod): void {
    this.#options.volumes.refresh(pod);
  }

  async startContainer(request: StartRequest): Promise<StartedContainer> {
    try {
      return await this.#createAndStart(request);
    } catch (error) {
      if (error instanceof RuntimeFailure && !request.signal.aborted) {
        this.#sandboxes.containerFailed(request.pod);
        // Perhaps the sandbox is gone, which a relist reveals.
        detach(this.relist.now());
      }
      throw error;
    }
  }

  async #createAndStart(request: StartRequest): Promise<StartedContainer> {
    const { cri, directories, clock, metrics } = this.#options;
    const { pod, container, restarts } = request;
    const { containerId, ips } = await this.#createContainer(request);
    const type = containerTypeOf(pod, container.name);
    const logFile = path.join(podLogDirectory(directories, pod), containerLogPath(container.name, restarts));
    this.#live.add(containerId, { pod, container, ips, logFile });
    try {
      await cri.startContainer({ containerId });
    } catch (error) {
      const message = messageOf(error);
      const exit = { exitCode: 128, reason: 'StartError', message, finishedMs: clock.now() };
      this.#live.failed(containerId);
      metrics?.containerStarted(type, 'RunContainerError');
      throw new RuntimeFailure('RunContainerError', message, { ended: { id: containerId, exit } });
    }
    metrics?.containerStarted(type);
    const [{ status }] = await Promise.all([
      cri.containerStatus({ containerId }),
      linkLog(logFile, containerLogLink(directories, pod, container.name, containerId)),
    ]);
    // Deferred until the caller has the container ID, since a container may end as soon as it starts.
    clock.after(0, () => this.#live.started(containerId, status !== undefined && hasEnded(status)));
    return {
      id: containerId,
      startedMs: status?.startedAt ? millisecondsOf(status.startedAt) : clock.now(),
      user: status && userOf(status),
    };
  }

  async stopContainer(id: string, graceMs: number): Promise<void> {
    const { cri } = this.#options;
    const timeout = Math.max(stopSecondsMin, Math.ceil(graceMs / 1000));
    const request = { containerId: id, timeout };
    await persist(() => cri.stopContainer(request, { timeoutMs: graceMs + stopExtraMs }), this.#options);
    await this.#live.reportEnd(id);
  }

  removeContainer(id: string): void {
    this.#run(this.#removal.container(id));
  }

  /** Resolves when the container and its logs have been removed. */
  dropContainer(id: string): Promise<void> {
    return this.#removal.container(id);
  }

  /** Logs that are still being written. */
  runningLogs(): readonly { readonly id: string; readonly file: string }[] {
    return this.#live.runningLogs();
  }

  /** The runtime knows better than the API what is running: see {@link knownPod}. */
  adoptContainer(): boolean {
    return false;
  }

  probe(id: string, probe: Probe, kind: ProbeKind): Promise<ProbeResult> {
    return this.access.probe(id, probe, kind);
  }

  runHook(
    id: string,
    _kind: HookKind,
    handler: LifecycleHandler,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    return this.access.runHook(id, handler, signal);
  }

  logs(id: string, options: LogOptions): AsyncIterable<Uint8Array> {
    return this.access.logs(id, options);
  }

  exec(id: string, command: readonly string[], streams: ExecStreams): Promise<number> {
    return this.access.exec(id, command, streams);
  }

  attach(id: string, streams: ExecStreams): Promise<void> {
    return this.access.attach(id, streams);
  }

  portForward(sandbox: Sandbox, port: number, streams: ExecStreams): Promise<void> {
    return this.access.portForward(sandbox, port, streams);
  }

  /** Changes requests and limits of running containers. @throws GrpcError */
  async resize(before: Pod, after: Pod, containers: readonly ResizedContainer[]): Promise<void> {
    const { cri, cgroups, machine } = this.#options;
    const podSandboxId = this.#sandboxes.of(after)?.sandbox.id;
    if (podSandboxId === undefined) return;
    await resizePod({ cri, cgroups, machine, podSandboxId, before, after, containers });
  }

  async #createContainer(request: StartRequest) {
    const { cri, metrics } = this.#options;
    const { pod, container, sandbox, signal } = request;
    const { config, ips } = await this.#requests.container(request).catch((error: unknown) => {
      if (error instanceof RuntimeFailure) throw error;
      throw new RuntimeFailure('CreateContainerConfigError', messageOf(error));
    });
    const sandboxConfig = this.#sandboxes.of(pod)?.config ?? (await this.#requests.sandbox(pod, 0));
    signal.throwIfAborted();
    const { containerId } = await cri
      .createContainer({ podSandboxId: sandbox.id, config, sandboxConfig })
      .catch((error: unknown) => {
        metrics?.containerStarted(containerTypeOf(pod, container.name), 'CreateContainerError');
        throw new RuntimeFailure('CreateContainerError', messageOf(error));
      });
    if (signal.aborted) {
      await cri.removeContainer({ containerId });
      throw signal.reason;
    }
    return { containerId, ips };
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!this.#options.signal.aborted) this.#options.onError(error);
    });
  }
}
