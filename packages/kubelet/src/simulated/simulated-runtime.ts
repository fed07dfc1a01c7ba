import { aborted } from '@coxswain/apimachinery';
import type { Clock, Random } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { LifecycleHandler, Probe } from '@coxswain/api/core/v1/probe.ts';
import type { ExecStreams, LogOptions } from '../connection.ts';
import { RuntimeFailure } from '../runtime.ts';
import type {
  ContainerExit,
  HookKind,
  ImageInfo,
  KnownContainer,
  ProbeKind,
  ProbeResult,
  Runtime,
  RuntimeListener,
  Sandbox,
  StartedContainer,
  StartRequest,
} from '../runtime.ts';
import { AddressPool } from './address-pool.ts';
import { ContainerFiles } from './process/container-files.ts';
import { annotation, durationAnnotation } from './annotations.ts';
import { behaviourOf } from './behaviour.ts';
import type { Behaviour } from './behaviour.ts';
import { attachableProgram, linesInto, recorded } from './conversation.ts';
import { simulateHook } from './hook.ts';
import { servePage } from './http-page.ts';
import { listensOn } from './network/listening.ts';
import { noNetwork } from './network/pod-network.ts';
import type { SimulatedNetwork } from './network/pod-network.ts';
import { containerWorld } from './process/container-world.ts';
import type { ContainerWorld } from './process/container-world.ts';
import { catchUpClock } from './process/catch-up-clock.ts';
import { execute } from './process/execute.ts';
import type { ReadData } from './process/mounted-volumes.ts';
import { hasEnded } from '../status/phase.ts';
import { checkImage, imageRef, imageSizeBytes } from './images.ts';
import { SimulatedContainer } from './simulated-container.ts';
import { simulatedLog } from './simulated-log.ts';

const addressesOf = ({ status }: Pod): readonly string[] =>
  (status?.podIPs ?? [{ ip: status?.podIP ?? '' }]).map(({ ip }) => ip);

const startOf = ({ status }: Pod): number => Date.parse(status?.startTime ?? '') || 0;

/** Of a container whose command could not be started. */
const startFailureCode = 128;

/** Containers of one node that are nothing but a record and, where they end, a timer. */
export class SimulatedRuntime implements Runtime {
  readonly name = 'containerd';
  readonly outlivesKubelet = false;
  readonly version = '2.1.0-simulated';
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #images = new Map<string, ImageInfo>();
  readonly #containers = new Map<string, SimulatedContainer>();
  /** As they are now, by uid: those of its containers. */
  readonly #pods = new Map<string, Pod>();
  readonly #addresses: AddressPool;
  /** What is in the volumes of its pods, by sandbox and name, and on its own disk. */
  readonly #podFiles = new Map<string, Map<string, ContainerFiles>>();
  readonly #nodeFiles = new ContainerFiles();
  #listener: RuntimeListener | undefined;

  readonly #read: ReadData;
  readonly #network: SimulatedNetwork;

  /** How long a container takes to stop that does not say it. */
  readonly #stopMs: number;

  constructor(options: {
    clock: Clock;
    random: Random;
    podCidr: string;
    read?: ReadData;
    network?: SimulatedNetwork;
    stopMs?: number | undefined;
  }) {
    this.#stopMs = options.stopMs ?? 0;
    this.#read = options.read ?? (() => Promise.resolve(undefined));
    this.#network = options.network ?? noNetwork;
    this.#clock = options.clock;
    this.#random = options.random;
    this.#addresses = new AddressPool(options.podCidr);
  }

  listen(listener: RuntimeListener): void {
    this.#listener = listener;
  }

  image(name: string): ImageInfo | undefined {
    return this.#images.get(name);
  }

  async pullImage(name: string, pod: Pod, signal: AbortSignal): Promise<ImageInfo> {
    const delayMs = durationAnnotation(pod, 'pull-delay');
    if (delayMs > 0) await this.#clock.sleep(delayMs, signal);
    checkImage(name, pod);
    const image = { ref: imageRef(name), sizeBytes: imageSizeBytes(name), pulledInMs: delayMs };
    this.#images.set(name, image);
    return image;
  }

  async runSandbox(pod: Pod): Promise<Sandbox> {
    if (pod.spec?.hostNetwork) return { id: this.#newId(), ips: [] };
    const ip = this.#addresses.take();
    if (ip === undefined)
      throw new RuntimeFailure('CreatePodSandboxError', 'no free pod address is left on this node');
    return { id: this.#newId(), ips: [ip] };
  }

  /** Who has an address keeps it, whatever it is doing; new pods get those that come after the newest. */
  podsKnown(pods: readonly Pod[]): void {
    const addressed = pods.filter(({ spec, status }) => !spec?.hostNetwork && status?.podIP !== undefined);
    for (const pod of addressed)
      if (!hasEnded(pod)) addressesOf(pod).forEach((ip) => this.#addresses.reserve(ip));
    const newest = addressed.toSorted((a, b) => startOf(b) - startOf(a))[0];
    if (newest !== undefined) this.#addresses.continueAfter(newest.status!.podIP!);
  }

  podChanged(pod: Pod): void {
    const { uid = '' } = pod.metadata ?? {};
    if (this.#pods.has(uid)) this.#pods.set(uid, pod);
  }

  async removePod({ metadata }: Pod): Promise<void> {
    this.#pods.delete(metadata?.uid ?? '');
  }

  async stopSandbox({ id, ips }: Sandbox): Promise<void> {
    this.#podFiles.delete(id);
    for (const ip of ips) this.#addresses.release(ip);
  }

  async startContainer(request: StartRequest): Promise<StartedContainer> {
    const { pod, container } = request;
    const behaviour = behaviourOf(pod, container);
    if (behaviour.held) {
      await aborted(request.signal);
      throw request.signal.reason as Error;
    }
    const id = this.#newId();
    this.#run(id, request, behaviour, this.#clock.now());
    const { startedMs } = this.#containers.get(id)!;
    return behaviour.ready ? { id, startedMs } : { id, startedMs, neverReady: true };
  }

  adoptContainer(request: StartRequest, { id, startedMs }: KnownContainer): boolean {
    this.#run(id, request, behaviourOf(request.pod, request.container), startedMs);
    return true;
  }

  async stopContainer(id: string, graceMs: number): Promise<void> {
    const container = this.#containers.get(id);
    if (container === undefined || !container.isRunning) return;
    const delayMs = durationAnnotation(this.#podOf(container), 'stop-delay') || this.#stopMs;
    if (delayMs > 0) await this.#clock.sleep(Math.min(delayMs, graceMs));
    this.#end(id, delayMs > graceMs ? 137 : 0);
  }

  removeContainer(id: string): void {
    const container = this.#containers.get(id);
    container?.close();
    this.#containers.delete(id);
  }

  async probe(id: string, _probe: Probe, kind: ProbeKind): Promise<ProbeResult> {
    const container = this.#containers.get(id);
    if (container === undefined) return { success: false, output: 'container not found' };
    const asked = annotation(this.#podOf(container), `probe.${kind.toLowerCase()}`);
    const success = asked !== 'fail' && (kind !== 'Readiness' || container.behaviour.ready);
    return { success, output: success ? '' : 'the simulation was asked to fail it' };
  }

  async runHook(
    id: string,
    kind: HookKind,
    handler: LifecycleHandler,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const container = this.#containers.get(id);
    if (container === undefined || !container.isRunning)
      throw new RuntimeFailure('NotFound', 'container not found');
    if (annotation(this.#podOf(container), `hook.${kind.toLowerCase()}`) === 'fail')
      throw new RuntimeFailure('HookFailed', 'the simulation was asked to fail it');
    await simulateHook(handler, () => this.#worldOf(container), this.#clock, signal);
  }

  async *logs(id: string, options: LogOptions): AsyncIterable<Uint8Array> {
    const container = this.#containers.get(id);
    if (container === undefined)
      throw new RuntimeFailure('NotFound', `container ${id} is not there any more`);
    yield* simulatedLog(container, this.#podOf(container), options, this.#clock);
  }

  async exec(id: string, command: readonly string[], streams: ExecStreams): Promise<number> {
    const container = this.#containers.get(id);
    if (container === undefined || !container.isRunning)
      throw new RuntimeFailure('NotFound', 'container not found');
    try {
      return await execute(await this.#worldOf(container), command, streams, this.#clock);
    } catch (failure) {
      if (!(failure instanceof RuntimeFailure)) throw failure;
      const { code, message } = failure;
      throw new RuntimeFailure(
        code,
        `failed to exec in container: failed to start exec "${this.#newId()}": ${message}`,
      );
    }
  }

  async attach(id: string, streams: ExecStreams): Promise<void> {
    const container = this.#containers.get(id);
    if (container === undefined || !container.isRunning)
      throw new RuntimeFailure('NotFound', 'container not found');
    const program = container.isAttached ? undefined : attachableProgram(container.spec);
    if (program === undefined || streams.stdin === undefined) {
      const options = streams.signal === undefined ? {} : { signal: streams.signal };
      for await (const chunk of this.logs(id, { ...options, follow: true, tailLines: 0 }))
        await streams.stdout?.(chunk);
      return;
    }
    container.isAttached = true;
    const code = await execute(
      await this.#worldOf(container),
      program,
      recorded(streams, (text) => this.#wrote(container, text)),
      this.#clock,
    );
    container.isAttached = false;
    // Whoever leaves a shell that is to outlive its first visitor finds it there again.
    const { stdinOnce } = container.spec;
    if (!streams.signal?.aborted || stdinOnce) this.#end(id, code);
  }

  async portForward(sandbox: Sandbox, port: number, streams: ExecStreams): Promise<void> {
    for (const container of this.#containers.values()) {
      if (!container.isRunning || container.sandbox.id !== sandbox.id) continue;
      const pod = this.#podOf(container);
      if (listensOn(pod, container.spec, port)) return servePage(pod, container.spec.name, port, streams);
    }
    throw new RuntimeFailure(
      'ConnectionRefused',
      `failed to execute portforward in network namespace "/var/run/netns/cni-${sandbox.id.slice(0, 8)}": failed to connect to localhost:${port} inside namespace "${sandbox.id}", IPv4: dial tcp4 127.0.0.1:${port}: connect: connection refused IPv6 dial tcp6: address localhost: no suitable address found `,
    );
  }

  #podOf({ podUid }: SimulatedContainer): Pod {
    return this.#pods.get(podUid)!;
  }

  #worldOf(container: SimulatedContainer): Promise<ContainerWorld> {
    const { spec, sandbox } = container;
    return (container.world ??= containerWorld(this.#podOf(container), spec, {
      addresses: sandbox.ips,
      read: this.#read,
      network: this.#network,
      shared: { ofPod: (volume) => this.#filesOf(sandbox.id, volume), ofNode: this.#nodeFiles },
      random: this.#random,
      nowMs: this.#clock.now(),
    }));
  }

  #filesOf(sandboxId: string, volume: string): ContainerFiles {
    let ofPod = this.#podFiles.get(sandboxId);
    if (ofPod === undefined) this.#podFiles.set(sandboxId, (ofPod = new Map()));
    let files = ofPod.get(volume);
    if (files === undefined) ofPod.set(volume, (files = new ContainerFiles()));
    return files;
  }

  #wrote(container: SimulatedContainer, text: string, timeMs = this.#clock.now()): void {
    container.say({ timeMs, text });
  }

  #run(id: string, request: StartRequest, behaviour: Behaviour, startedMs: number): void {
    const { pod, sandbox, container: spec, restarts } = request;
    const { uid: podUid = '' } = pod.metadata ?? {};
    if (!this.#pods.has(podUid)) this.#pods.set(podUid, pod);
    const container = new SimulatedContainer({ podUid, sandbox, spec, restarts, behaviour, startedMs });
    this.#containers.set(id, container);
    const { end, process } = behaviour;
    if (process !== undefined) void this.#process(id, container, process);
    if (end === undefined) return;
    const endMs = startedMs + end.afterMs;
    const leftMs = Math.max(0, endMs - this.#clock.now());
    container.endTimer = this.#clock.after(leftMs, () => this.#end(id, end.exitCode, endMs));
  }

  /** Runs what is known to run; a container without a world, such as one whose volumes can't be read, ends at once. */
  async #process(id: string, container: SimulatedContainer, argv: readonly string[]): Promise<void> {
    const clock = catchUpClock(this.#clock, container.startedMs);
    const kept = linesInto((text) => this.#wrote(container, text, clock.now()));
    const streams = { stdout: kept.chunk, stderr: kept.chunk, signal: container.signal };
    try {
      const code = await execute(await this.#worldOf(container), argv, streams, clock);
      kept.flush();
      this.#end(id, code, clock.now());
    } catch (failure) {
      this.#wrote(container, (failure as Error).message);
      this.#end(id, startFailureCode);
    }
  }

  #end(id: string, exitCode: number, finishedMs = this.#clock.now()): void {
    const container = this.#containers.get(id);
    if (container === undefined || !container.isRunning) return;
    container.end(finishedMs);
    const exit: ContainerExit = {
      exitCode,
      reason: exitCode === 0 ? 'Completed' : 'Error',
      finishedMs,
    };
    this.#listener?.exited(id, exit);
  }

  /** 64 hexadecimal digits. */
  #newId(): string {
    const words = Array.from({ length: 8 }, () =>
      Math.floor(this.#random.next() * 2 ** 32)
        .toString(16)
        .padStart(8, '0'),
    );
    return words.join('');
  }
}
