/** Real containers: what the kubelet decides, done by a container runtime over the CRI. */
import { mkdir, rm, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { LifecycleHandler, Probe } from '@coxswain/api/core/v1/probe.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { Clock } from '@coxswain/apimachinery';
import type { PodCgroups } from '../cgroups/pod-cgroups.ts';
import type { ExecStreams, LogOptions } from '../connection.ts';
import { codeText, criFailureText, criMessage, isNotFound } from '../cri/cri-client.ts';
import type { Cri } from '../cri/cri-client.ts';
import { ContainerState } from '../cri/container-messages.ts';
import { recordOf } from '../cri/shared-messages.ts';
import type { DeviceManager } from '../plugins/devices/device-manager.ts';
import { containerTypeOf } from '../metrics/kubelet-metrics.ts';
import type { KubeletMetrics } from '../metrics/kubelet-metrics.ts';
import { runProbe, httpTarget } from '../probes/run-probe.ts';
import { httpGet } from '../probes/http-request.ts';
import { RuntimeFailure } from '../runtime.ts';
import type {
  HookKind,
  ImageInfo,
  KnownPod,
  ProbeKind,
  ProbeResult,
  ResizedContainer,
  Runtime,
  RuntimeListener,
  Sandbox,
  StartedContainer,
  StartRequest,
} from '../runtime.ts';
import type { ApiSources } from '../volumes/api-sources.ts';
import type { PodVolumes } from '../volumes/pod-volumes.ts';
import { valueInFile } from '../volumes/set-up-volume.ts';
import { blockDevices } from './block-devices.ts';
import { rotatedFiles } from '../garbage/log-rotation.ts';
import { containerConfig } from './container-config.ts';
import { containerExit, hasEnded, millisecondsOf } from './container-exit.ts';
import type { CriContainerStatus } from './container-exit.ts';
import { containerHash } from './container-hash.ts';
import { containerMounts } from './container-mounts.ts';
import { podDns } from './dns-config.ts';
import type { DnsSettings } from './dns-config.ts';
import type { NodeFacts } from './downward-api.ts';
import { containerEnvironment } from './environment.ts';
import { containerNameLabel, hashAnnotation, podUidLabel, restartCountAnnotation } from './labels.ts';
import type { MachineLimits } from './linux-resources.ts';
import { readLog } from './log-reader.ts';
import { refuseOwnUsers } from './own-users.ts';
import { kernelHostname, podHostname } from './pod-hostname.ts';
import { containerLogLink, containerLogPath, podFolder, podLogFolder } from './pod-paths.ts';
import type { KubeletFolders } from './pod-paths.ts';
import { Relist, isReady, podUidOf } from './relist.ts';
import type { RuntimeImages } from './runtime-images.ts';
import { carryCommand, carryPort } from './runtime-streams.ts';
import { resizePod } from './resize-pod.ts';
import { sandboxConfig } from './sandbox-config.ts';
import type { SandboxConfig } from './sandbox-config.ts';
import { refuseRoot } from './security-context.ts';
import type { SecurityDefaults } from './security-context.ts';
import { serviceVariables } from './service-variables.ts';

export interface CriRuntimeOptions {
  readonly cri: Cri;
  /** `containerd`, and its version. */
  readonly name: string;
  readonly version: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly folders: KubeletFolders;
  readonly images: RuntimeImages;
  readonly volumes: PodVolumes;
  readonly devices?: Pick<DeviceManager, 'prepare'>;
  readonly cgroups: PodCgroups;
  readonly sources: ApiSources;
  readonly machine: MachineLimits;
  readonly security: SecurityDefaults;
  readonly dns: () => DnsSettings;
  readonly hostIps: () => readonly string[];
  readonly allocatable: () => Readonly<Record<string, string>>;
  readonly services: () => readonly Service[];
  /** Resolves when no container of the pod can be reached by whom policies keep away. */
  readonly protect?: ((pod: Pod, addresses: readonly string[]) => Promise<void>) | undefined;
  readonly warn: (pod: Pod, reason: string, message: string) => void;
  readonly health: (error: unknown) => void;
  readonly onError: (error: unknown) => void;
  readonly metrics?: RuntimeMetrics;
}

/** What is counted of what is done. */
export type RuntimeMetrics = Pick<
  KubeletMetrics,
  'relisted' | 'podStarted' | 'containerStarted' | 'containerEnded' | 'probed'
>;

/** A sandbox takes as long as its network does; the original waits twice the time of other calls. */
const sandboxMsMax = 240_000;
const stopExtraMs = 120_000;
const retryMsMin = 100;
const retryMsMax = 10_000;

interface LivePod {
  readonly pod: Pod;
  readonly sandbox: Sandbox;
  readonly config: SandboxConfig;
}

interface LiveContainer {
  readonly pod: Pod;
  readonly container: Container;
  readonly ips: readonly string[];
  readonly logFile: string;
  isRunning: boolean;
  /** Whoever started it knows of it: its end can be told. */
  isStarted: boolean;
}

export class CriRuntime implements Runtime {
  readonly outlivesKubelet = true;
  readonly enforcesResources = true;
  readonly relist: Relist;
  readonly #options: CriRuntimeOptions;
  readonly #pods = new Map<string, LivePod>();
  readonly #containers = new Map<string, LiveContainer>();
  /** What was there when the kubelet started, until its pods are adopted. */
  readonly #found = new Map<string, CriContainerStatus[]>();
  /** Containers whose end was told. */
  readonly #told = new Set<string>();
  readonly #removals = new Map<string, Promise<void>>();
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
      listed: (alive) => this.#tellEnds(alive),
      sandboxLost: (podUid, id) => this.#listener?.sandboxLost?.(podUid, id),
    });
  }

  get name(): string {
    return this.#options.name;
  }

  get version(): string {
    return this.#options.version;
  }

  /** Reads what runs already. @throws what the runtime answers */
  async start(): Promise<void> {
    await this.relist.start();
    for (const { id, labels } of this.relist.containers) {
      const uid = recordOf(labels)[podUidLabel] ?? '';
      const { status } = await this.#options.cri.containerStatus({ containerId: id });
      if (status !== undefined) this.#found.set(uid, [...(this.#found.get(uid) ?? []), status]);
    }
  }

  listen(listener: RuntimeListener): void {
    this.#listener = listener;
  }

  image(name: string): Promise<ImageInfo | undefined> {
    return this.#options.images.find(name);
  }

  pullImage(name: string, pod: Pod, signal: AbortSignal): Promise<ImageInfo> {
    const sandbox = this.#pods.get(pod.metadata?.uid ?? '')?.config;
    return this.#options.images.pull(name, pod, signal, sandbox);
  }

  async runSandbox(pod: Pod): Promise<Sandbox> {
    const { cri, cgroups, volumes, sources, metrics } = this.#options;
    await Promise.all([cgroups.ensure(pod), volumes.mount(pod)]);
    const attempt = await this.#clearSandboxes(pod);
    const config = await this.#sandboxConfig(pod, attempt);
    await mkdir(config.logDirectory!, { recursive: true, mode: 0o755 });
    const runtimeHandler = await sources.runtimeHandler(pod.spec?.runtimeClassName);
    if (pod.spec?.hostUsers === false) await refuseOwnUsers(cri, runtimeHandler);
    const { podSandboxId } = await cri
      .runPodSandbox({ config, runtimeHandler }, { timeoutMs: sandboxMsMax })
      .catch((error: unknown) => {
        metrics?.podStarted(true);
        metrics?.containerStarted('podsandbox', codeText(error));
        throw new RuntimeFailure('CreatePodSandboxError', criFailureText(error));
      });
    metrics?.podStarted(false);
    metrics?.containerStarted('podsandbox');
    const sandbox = { id: podSandboxId, ips: await this.#addressesOf(pod, podSandboxId) };
    if (sandbox.ips.length > 0) await this.#options.protect?.(pod, sandbox.ips);
    this.#pods.set(pod.metadata?.uid ?? '', { pod, sandbox, config });
    return sandbox;
  }

  async stopSandbox(sandbox: Sandbox, pod: Pod): Promise<void> {
    const { cri, volumes, cgroups, sources } = this.#options;
    const uid = pod.metadata?.uid ?? '';
    await this.#persist(() => cri.stopPodSandbox({ podSandboxId: sandbox.id }));
    await this.#persist(() => volumes.unmount(uid));
    await this.#persist(() => cgroups.remove(pod));
    sources.forget(uid);
    this.#pods.delete(uid);
  }

  async removePod(pod: Pod): Promise<void> {
    await this.#removeByUid(pod.metadata?.uid ?? '');
    await rm(podLogFolder(this.#options.folders, pod), { recursive: true, force: true });
    await this.#options.cgroups.remove(pod);
  }

  knownPod(pod: Pod): KnownPod | undefined {
    const uid = pod.metadata?.uid ?? '';
    const statuses = this.#found.get(uid) ?? [];
    const sandbox = this.relist.sandboxes.find((each) => podUidOf(each) === uid && isReady(each));
    this.#found.delete(uid);
    if (sandbox === undefined && statuses.length === 0) return undefined;
    const ips = pod.status?.podIPs?.map(({ ip }) => ip) ?? [];
    const live = sandbox && { id: sandbox.id, ips: pod.spec?.hostNetwork ? [] : ips };
    if (live !== undefined) this.#adoptPod(pod, live, sandbox?.metadata?.attempt ?? 0);
    return { sandbox: live, runs: statuses.map((status) => this.#adoptRun(pod, ips, status)) };
  }

  podChanged(pod: Pod): void {
    this.#options.volumes.refresh(pod);
  }

  async startContainer(request: StartRequest): Promise<StartedContainer> {
    const { cri, folders, clock, metrics } = this.#options;
    const { pod, container, sandbox, restarts, signal } = request;
    const type = containerTypeOf(pod, container.name);
    const { config, ...facts } = await this.#containerConfig(request).catch((error: unknown) => {
      if (error instanceof RuntimeFailure) throw error;
      throw new RuntimeFailure('CreateContainerConfigError', criMessage(error));
    });
    signal.throwIfAborted();
    const { containerId } = await cri
      .createContainer({ podSandboxId: sandbox.id, config, sandboxConfig: facts.sandboxConfig })
      .catch((error: unknown) => {
        // Perhaps because the sandbox is gone, which is better known soon.
        void this.relist.now();
        metrics?.containerStarted(type, 'CreateContainerError');
        throw new RuntimeFailure('CreateContainerError', criMessage(error));
      });
    if (signal.aborted) {
      await cri.removeContainer({ containerId });
      throw signal.reason;
    }
    const logFile = path.join(podLogFolder(folders, pod), containerLogPath(container.name, restarts));
    this.#containers.set(containerId, {
      pod,
      container,
      ips: facts.ips,
      logFile,
      isRunning: true,
      isStarted: false,
    });
    try {
      await cri.startContainer({ containerId });
    } catch (error) {
      const exit = {
        exitCode: 128,
        reason: 'StartError',
        message: criMessage(error),
        finishedMs: clock.now(),
      };
      this.#told.add(containerId);
      metrics?.containerStarted(type, 'RunContainerError');
      throw new RuntimeFailure('RunContainerError', criMessage(error), { ended: { id: containerId, exit } });
    }
    metrics?.containerStarted(type);
    await link(logFile, containerLogLink(folders, pod, container.name, containerId));
    const { status } = await cri.containerStatus({ containerId });
    // Not before the caller has it: a container may end as soon as it starts.
    clock.after(0, () => this.#started(containerId, status !== undefined && hasEnded(status)));
    return { id: containerId, startedMs: status?.startedAt ? millisecondsOf(status.startedAt) : clock.now() };
  }

  async stopContainer(id: string, graceMs: number): Promise<void> {
    const timeout = Math.ceil(graceMs / 1000);
    await this.#persist(() =>
      this.#options.cri.stopContainer({ containerId: id, timeout }, { timeoutMs: graceMs + stopExtraMs }),
    );
    await this.#tellEnd(id);
  }

  removeContainer(id: string): void {
    this.#run(this.#removeContainer(id));
  }

  /** Resolves when the container is gone, and its logs with it. */
  dropContainer(id: string): Promise<void> {
    return this.#removeContainer(id);
  }

  /** Logs that grow. */
  runningLogs(): readonly { readonly id: string; readonly file: string }[] {
    return [...this.#containers].flatMap(([id, { logFile, isRunning, isStarted }]) =>
      isRunning && isStarted ? [{ id, file: logFile }] : [],
    );
  }

  /** The runtime knows what runs better than the API does: see {@link knownPod}. */
  adoptContainer(): boolean {
    return false;
  }

  async probe(id: string, probe: Probe, kind: ProbeKind): Promise<ProbeResult> {
    const live = this.#containers.get(id);
    if (live === undefined) return { success: false, output: 'container not found' };
    const { clock, metrics } = this.#options;
    const beganMs = clock.monotonic();
    const result = runProbe(probe, {
      container: live.container,
      host: this.#hostOf(live),
      clock: this.#options.clock,
      exec: (command, timeoutMs) => this.#execSync(id, command, timeoutMs),
    });
    const { success } = await result;
    metrics?.probed(live.pod, live.container.name, kind, success, clock.monotonic() - beganMs);
    return result;
  }

  async runHook(
    id: string,
    _kind: HookKind,
    handler: LifecycleHandler,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const live = this.#containers.get(id);
    if (live === undefined) throw new RuntimeFailure('NotFound', 'container not found');
    if (handler.exec) {
      const { exitCode, output } = await this.#execSync(id, handler.exec.command ?? [], 0, signal);
      const command = (handler.exec.command ?? []).join(' ');
      if (exitCode !== 0)
        throw new RuntimeFailure('ExecError', `command '${command}' exited with ${exitCode}: ${output}`);
    } else if (handler.httpGet) {
      const target = httpTarget(handler.httpGet, { container: live.container, host: this.#hostOf(live) });
      const { status } = await httpGet(target, hookMsMax, 'kube-lifecycle');
      if (status >= 400) throw new RuntimeFailure('HookFailed', `HTTP status ${status}`);
    } else throw new RuntimeFailure('HookFailed', 'invalid handler: no known hook');
  }

  async *logs(id: string, options: LogOptions): AsyncIterable<Uint8Array> {
    const live = this.#containers.get(id);
    if (live === undefined) throw new RuntimeFailure('NotFound', `container ${id} is not there any more`);
    const file = { path: live.logFile, clock: this.#options.clock, isRunning: () => live.isRunning };
    yield* readLog(file, options);
  }

  async exec(id: string, command: readonly string[], streams: ExecStreams): Promise<number> {
    return carryCommand(await this.execUrl(id, command, wanted(streams)), streams);
  }

  async attach(id: string, streams: ExecStreams): Promise<void> {
    await carryCommand(await this.attachUrl(id, wanted(streams)), streams);
  }

  async portForward(sandbox: Sandbox, port: number, streams: ExecStreams): Promise<void> {
    await carryPort(await this.portForwardUrl(sandbox.id, [port]), port, streams);
  }

  /** Where the streams of a command are to be had. @throws GrpcError */
  async execUrl(id: string, command: readonly string[], streams: WantedStreams): Promise<string> {
    return (await this.#options.cri.exec({ containerId: id, cmd: command, ...streams })).url;
  }

  async attachUrl(id: string, streams: WantedStreams): Promise<string> {
    return (await this.#options.cri.attach({ containerId: id, ...streams })).url;
  }

  async portForwardUrl(sandboxId: string, ports: readonly number[]): Promise<string> {
    return (await this.#options.cri.portForward({ podSandboxId: sandboxId, port: ports })).url;
  }

  /** Requests and limits of a running container are changed. @throws GrpcError */
  async resize(before: Pod, after: Pod, containers: readonly ResizedContainer[]): Promise<void> {
    const { cri, cgroups, machine } = this.#options;
    const podSandboxId = this.#pods.get(after.metadata?.uid ?? '')?.sandbox.id;
    if (podSandboxId === undefined) return;
    await resizePod({ cri, cgroups, machine, podSandboxId, before, after, containers });
  }

  /** Ends what an earlier kubelet left of pods that are not this node's any more. */
  async removeUnknown(isKnown: (uid: string) => boolean): Promise<void> {
    const { volumes, cgroups } = this.#options;
    const listed = [...this.relist.sandboxes, ...this.relist.containers].map(podUidOf);
    const onDisk = await volumes.podsOnDisk();
    for (const uid of new Set([...listed, ...onDisk])) {
      if (uid === '' || isKnown(uid)) continue;
      await this.#removeRunsOf(uid);
      // A volume may have to wait for its driver, which may be a pod that this kubelet has yet to start.
      this.#run(this.#removeFilesOf(uid));
    }
    await cgroups.removeOthers(isKnown);
  }

  async #sandboxConfig(pod: Pod, attempt: number): Promise<SandboxConfig> {
    const { folders, cgroups, machine, dns, warn } = this.#options;
    const settings = dns();
    const { config, warnings } = podDns(pod, settings);
    for (const { reason, message } of warnings) warn(pod, reason, message);
    return sandboxConfig(pod, {
      attempt,
      hostname: kernelHostname(pod, podHostname(pod, settings.clusterDomain)),
      logFolder: podLogFolder(folders, pod),
      dns: config,
      cgroupParent: cgroups.parentOf(pod),
      machine,
    });
  }

  /** Stops the sandboxes before, whose containers' logs may still be wanted; answers with the number of the next. */
  async #clearSandboxes(pod: Pod): Promise<number> {
    const { cri } = this.#options;
    const uid = pod.metadata?.uid ?? '';
    const known = this.#pods.get(uid);
    const before = this.relist.sandboxes.filter((sandbox) => podUidOf(sandbox) === uid);
    for (const { id } of before) await ignoreNotFound(cri.stopPodSandbox({ podSandboxId: id }));
    if (known !== undefined) {
      await ignoreNotFound(cri.stopPodSandbox({ podSandboxId: known.sandbox.id }));
      return (known.config.metadata?.attempt ?? 0) + 1;
    }
    return Math.max(-1, ...before.map(({ metadata }) => metadata?.attempt ?? 0)) + 1;
  }

  async #addressesOf(pod: Pod, podSandboxId: string): Promise<readonly string[]> {
    if (pod.spec?.hostNetwork) return [];
    const { status } = await this.#options.cri.podSandboxStatus({ podSandboxId });
    const { ip = '', additionalIps = [] } = status?.network ?? {};
    return [ip, ...additionalIps.map((each) => each.ip)].filter(Boolean);
  }

  async #containerConfig({ pod, container, sandbox, restarts }: StartRequest) {
    const { images, volumes, sources, services, folders, dns, machine, security, cri } = this.#options;
    const uid = pod.metadata?.uid ?? '';
    await volumes.mount(pod);
    const image = await images.find(container.image ?? '');
    if (image === undefined) throw new RuntimeFailure('ErrImagePull', `image "${container.image}" is gone`);
    const ips = pod.spec?.hostNetwork ? this.#options.hostIps() : sandbox.ips;
    const mounted = volumes.of(uid);
    const environment = await containerEnvironment(pod, container, {
      configMap: async (namespace, name) => (await sources.configMap(namespace, name)).data ?? {},
      secret: async (namespace, name) => decoded((await sources.secret(namespace, name)).data),
      fileKey: async (volume, file, key) => {
        const place = mounted.get(volume);
        if (place === undefined)
          throw new Error(`cannot find the volume "${volume}" referenced by FileKeyRef`);
        return valueInFile(place, file, key);
      },
      serviceVariables: serviceVariables(
        services(),
        pod.metadata?.namespace ?? '',
        pod.spec?.enableServiceLinks ?? true,
      ),
      facts: this.#facts(ips),
    });
    refuseRoot(pod, container, image.user);
    const granted = await this.#options.devices?.prepare(pod, container);
    const mounts = await containerMounts(pod, container, {
      folders,
      clusterDomain: dns().clusterDomain,
      podIps: ips,
      volumes: mounted,
      environment,
      images: await this.#imageVolumes(pod, container),
    });
    await mkdir(path.join(podLogFolder(folders, pod), container.name), { recursive: true, mode: 0o755 });
    const targetId = await targetOf(cri, pod, container, sandbox);
    const config = containerConfig(pod, container, {
      restarts,
      imageRef: image.id,
      imageUser: image.user,
      environment: new Map([...(granted?.environment ?? []), ...environment]),
      mounts: [...mounts, ...(granted?.mounts ?? [])],
      devices: [...blockDevices(container, mounted), ...(granted?.devices ?? [])],
      cdiDevices: granted?.cdiDevices ?? [],
      annotations: granted?.annotations ?? {},
      machine,
      security,
      ...(targetId === undefined ? {} : { targetId }),
    });
    const live = this.#pods.get(uid);
    return { config, ips, sandboxConfig: live?.config ?? (await this.#sandboxConfig(pod, 0)) };
  }

  async #imageVolumes(pod: Pod, container: Container): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const { name, image } of pod.spec?.volumes ?? []) {
      if (!image || !container.volumeMounts?.some((mount) => mount.name === name)) continue;
      const { images } = this.#options;
      const known = await images.find(image.reference ?? '');
      if (known === undefined || image.pullPolicy === 'Always')
        await images.pull(image.reference ?? '', pod, this.#options.signal);
      found.set(name, (known ?? (await images.find(image.reference ?? '')))?.id ?? '');
    }
    return found;
  }

  #facts(podIps: readonly string[]): NodeFacts {
    return { podIps, hostIps: this.#options.hostIps(), allocatable: this.#options.allocatable() };
  }

  /** For what an earlier kubelet has started. */
  #adoptPod(pod: Pod, sandbox: Sandbox, attempt: number): void {
    const { cgroups, volumes } = this.#options;
    const uid = pod.metadata?.uid ?? '';
    this.#run(
      (async () => {
        await cgroups.ensure(pod);
        this.#pods.set(uid, { pod, sandbox, config: await this.#sandboxConfig(pod, attempt) });
        await volumes.mount(pod);
      })(),
    );
  }

  #adoptRun(pod: Pod, ips: readonly string[], status: CriContainerStatus): KnownPod['runs'][number] {
    const { id, labels, annotations, startedAt, imageRef, logPath } = status;
    const name = recordOf(labels)[containerNameLabel] ?? '';
    const noted = recordOf(annotations);
    const spec = containersOf(pod).find((each) => each.name === name);
    const ended = hasEnded(status);
    if (ended) this.#told.add(id);
    const container = spec ?? ({ name } as Container);
    this.#containers.set(id, { pod, container, ips, logFile: logPath, isRunning: !ended, isStarted: true });
    return {
      name,
      id,
      restarts: Number(noted[restartCountAnnotation] ?? 0),
      image: { ref: imageRef, sizeBytes: 0, pulledInMs: 0 },
      startedMs: millisecondsOf(startedAt),
      isCurrent: (current) => noted[hashAnnotation] === containerHash(current),
      exit: ended ? exitOf(status) : undefined,
    };
  }

  #hostOf({ pod, ips }: LiveContainer): string {
    const addresses = pod.spec?.hostNetwork ? this.#options.hostIps() : ips;
    return addresses[0] ?? '127.0.0.1';
  }

  async #execSync(id: string, command: readonly string[], timeoutMs: number, signal?: AbortSignal) {
    const timeout = Math.ceil(timeoutMs / 1000);
    const options = {
      ...(timeoutMs > 0 ? { timeoutMs: timeoutMs + execExtraMs } : {}),
      ...(signal && { signal }),
    };
    try {
      const answer = await this.#options.cri.execSync({ containerId: id, cmd: command, timeout }, options);
      const output = Buffer.concat([answer.stdout, answer.stderr]).toString('utf8', 0, outputBytesMax);
      return { exitCode: answer.exitCode, output };
    } catch (error) {
      throw new RuntimeFailure('ExecError', criFailureText(error));
    }
  }

  #started(id: string, hasEndedAlready: boolean): void {
    const live = this.#containers.get(id);
    if (live !== undefined) live.isStarted = true;
    if (hasEndedAlready) this.#run(this.#tellEnd(id));
  }

  #tellEnds(alive: ReadonlySet<string>): void {
    for (const [id, { isRunning, isStarted }] of this.#containers)
      if (isRunning && isStarted && !alive.has(id)) this.#run(this.#tellEnd(id));
  }

  /** Tells how a container ended, once. */
  async #tellEnd(id: string): Promise<void> {
    if (this.#told.has(id)) return;
    const { cri, clock } = this.#options;
    let status: CriContainerStatus | undefined;
    try {
      ({ status } = await cri.containerStatus({ containerId: id }));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    if (status !== undefined && !hasEnded(status)) return;
    if (this.#told.has(id)) return;
    this.#told.add(id);
    const live = this.#containers.get(id);
    if (live !== undefined) live.isRunning = false;
    const exit =
      status === undefined
        ? { ...vanished, finishedMs: clock.now() }
        : await containerExit(status, clock.now());
    if (live !== undefined)
      this.#options.metrics?.containerEnded(containerTypeOf(live.pod, live.container.name), exit);
    this.#listener?.exited(id, exit);
  }

  /** Once, however often it is asked for. */
  #removeContainer(id: string): Promise<void> {
    let removal = this.#removals.get(id);
    if (removal === undefined) {
      removal = this.#removeNow(id).finally(() => this.#removals.delete(id));
      this.#removals.set(id, removal);
    }
    return removal;
  }

  async #removeNow(id: string): Promise<void> {
    const live = this.#containers.get(id);
    await this.#persist(() => this.#options.cri.removeContainer({ containerId: id }));
    this.#containers.delete(id);
    this.#told.delete(id);
    if (live === undefined) return;
    const { pod, container, logFile } = live;
    await rm(containerLogLink(this.#options.folders, pod, container.name, id), { force: true });
    await rm(logFile, { force: true });
    for (const file of await rotatedFiles(logFile)) await rm(file, { force: true });
  }

  /** Whatever the runtime has of the pod, running or not. */
  async #removeByUid(uid: string): Promise<void> {
    await this.#removeRunsOf(uid);
    await this.#removeFilesOf(uid);
  }

  async #removeRunsOf(uid: string): Promise<void> {
    const { cri } = this.#options;
    const filter = { labelSelector: [{ key: podUidLabel, value: uid }] };
    const { containers } = await cri.listContainers({ filter });
    for (const { id, state } of containers) {
      if (state === ContainerState.running)
        await ignoreNotFound(cri.stopContainer({ containerId: id, timeout: 1 }, { timeoutMs: stopExtraMs }));
      await this.#removeContainer(id);
    }
    const { items } = await cri.listPodSandbox({ filter });
    for (const sandbox of items) {
      const { id } = sandbox;
      if (isReady(sandbox)) await this.#persist(() => cri.stopPodSandbox({ podSandboxId: id }));
      await this.#persist(() => cri.removePodSandbox({ podSandboxId: id }));
    }
  }

  async #removeFilesOf(uid: string): Promise<void> {
    if (await this.#options.volumes.podsOnDisk().then((uids) => uids.includes(uid))) {
      await this.#persist(() => this.#options.volumes.unmount(uid));
      await rm(podFolder(this.#options.folders, uid), { recursive: true, force: true });
    }
  }

  /** Repeats until it works, or the kubelet ends; what isn't there any more is done. */
  async #persist(action: () => Promise<unknown>): Promise<void> {
    const { clock, signal, onError } = this.#options;
    for (let waitMs = retryMsMin; ; waitMs = Math.min(waitMs * 2, retryMsMax)) {
      try {
        await action();
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        if (signal.aborted) throw error;
        onError(error);
      }
      await clock.sleep(waitMs, signal);
    }
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!this.#options.signal.aborted) this.#options.onError(error);
    });
  }
}

export interface WantedStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

const hookMsMax = 600_000;
const execExtraMs = 5_000;
/** Of what a command says to a probe. */
const outputBytesMax = 10 * 1024;

const vanished = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was terminated',
} as const;

/** A terminal has one output. */
const wanted = ({ stdin, stdout, stderr, tty = false }: ExecStreams): WantedStreams => ({
  stdin: stdin !== undefined,
  stdout: stdout !== undefined,
  stderr: stderr !== undefined && !tty,
  tty,
});

const containersOf = ({ spec }: Pod): readonly Container[] => [
  ...(spec?.initContainers ?? []),
  ...(spec?.containers ?? []),
  ...((spec?.ephemeralContainers ?? []) as unknown as readonly Container[]),
];

/** Without what lies in files: for runs of an earlier kubelet, whose pods have that in their status already. */
const exitOf = ({ exitCode, reason, message, finishedAt }: CriContainerStatus) => ({
  exitCode,
  reason: reason || (exitCode === 0 ? 'Completed' : 'Error'),
  ...(message === '' ? {} : { message }),
  finishedMs: millisecondsOf(finishedAt),
});

const decoded = (data: Readonly<Record<string, string>> = {}): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Uint8Array.fromBase64(text)]));

/** The container whose processes an ephemeral one sees. */
async function targetOf(
  cri: Cri,
  pod: Pod,
  { name }: Container,
  sandbox: Sandbox,
): Promise<string | undefined> {
  const target = pod.spec?.ephemeralContainers?.find((each) => each.name === name)?.targetContainerName;
  if (!target) return undefined;
  const filter = {
    podSandboxId: sandbox.id,
    labelSelector: [{ key: containerNameLabel, value: target }],
    state: { state: 1 },
  };
  const { containers } = await cri.listContainers({ filter });
  const found = containers[0];
  if (found === undefined) throw new Error(`unable to find target container ${target}`);
  return found.id;
}

async function ignoreNotFound(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

/** For programs that collect logs; nothing depends on it. */
async function link(logFile: string, place: string): Promise<void> {
  try {
    await mkdir(path.dirname(place), { recursive: true, mode: 0o755 });
    await unlink(place).catch(() => undefined);
    await symlink(logFile, place);
  } catch {
    // A folder that can't be written to is no reason to stop a container.
  }
}
