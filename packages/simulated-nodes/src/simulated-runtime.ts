import { detach } from '@coxswain/apimachinery/detach.ts';
import { aborted, type Clock, type Random, type StepObserver } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { LifecycleHandler, Probe } from '@coxswain/api/core/v1/probe.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import type { ExecStreams, LogOptions } from '@coxswain/kubelet/connection.ts';
import type { NodeFacts } from '@coxswain/kubelet/pod/downward-api.ts';
import { expandVariables } from '@coxswain/kubelet/pod/expand-variables.ts';
import {
  RuntimeFailure,
  type ContainerExit,
  type HookKind,
  type ImageInfo,
  type KnownContainer,
  type ProbeKind,
  type ProbeResult,
  type Runtime,
  type RuntimeListener,
  type Sandbox,
  type StartedContainer,
  type StartRequest,
} from '@coxswain/kubelet/runtime.ts';
import { PodAddresses } from './container/pod-addresses.ts';
import { ContainerWorlds } from './container/container-worlds.ts';
import { annotation, durationAnnotation } from './behaviour/annotations.ts';
import { behaviourOf, type Behaviour } from './behaviour/behaviour.ts';
import { attachTo, execIn } from './container/container-visits.ts';
import { linesInto } from './container/conversation.ts';
import { simulateHook } from './container/hook.ts';
import { documentRoot, documentServer, webPort } from './cluster-network/document-root.ts';
import { pageServer } from './cluster-network/http-page.ts';
import { serveConnection } from './network/http-connection.ts';
import type { HttpServer } from './network/http-message.ts';
import { knownPorts, listensOn, type ListeningProgram } from './cluster-network/listening.ts';
import { NetworkFailure, noNetwork, type SimulatedNetwork } from './network/pod-network.ts';
import type { ContainerWorld } from './process/container-world.ts';
import { catchUpClock } from './process/catch-up-clock.ts';
import { execute, executeMain } from './process/execute.ts';
import { Pipe } from './process/pipe.ts';
import { isKnownProgram } from './process/shell-names.ts';
import { definedBehaviour, runsOwnProgram } from './program/defined-behaviour.ts';
import { DefinedImages } from './program/defined-images.ts';
import type { ImageDefinition } from './program/image-definition.ts';
import { knownDefinition } from './program/known-images.ts';
import { probeProgram, runProgramHook, type ContainerVisit } from './program/probe-program.ts';
import { RunningProgram } from './program/running-program.ts';
import { checkImage, imageRef, imageSizeBytes, missingProgram, startFailure } from './behaviour/images.ts';
import { AwaitedVolumes } from './container/awaited-volumes.ts';
import { contentSources, environmentReady, noSources, type PodSources } from './process/pod-sources.ts';
import { VolumeFiles } from './container/volume-files.ts';
import { SimulatedContainer } from './container/simulated-container.ts';
import { simulateProbe } from './container/simulated-probe.ts';
import { simulatedLog } from './container/simulated-log.ts';
import { terminationMessage } from './container/termination-message.ts';

/** The exit code of a container whose command could not be started. */
const startFailureCode = 128;

/** The container runtime of one simulated node. Its containers are records and, if they end, timers. */
export class SimulatedRuntime implements Runtime {
  readonly name = 'containerd';
  readonly outlivesKubelet = false;
  readonly version = '2.1.0-simulated';
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #images = new Map<string, ImageInfo>();
  readonly #containers = new Map<string, SimulatedContainer>();
  /** The current objects of the pods that have containers, by uid. */
  readonly #pods = new Map<string, Pod>();
  readonly #addresses: PodAddresses;
  readonly #worlds: ContainerWorlds;
  #listener: RuntimeListener | undefined;

  readonly #sources: PodSources;
  readonly #facts: Pick<NodeFacts, 'hostIps' | 'allocatable'>;
  readonly #volumes: AwaitedVolumes;
  readonly #defined: DefinedImages;

  /** How long a container takes to stop unless its pod says otherwise. */
  readonly #stopMs: number;

  constructor(options: {
    clock: Clock;
    random: Random;
    podCidr: string;
    sources?: PodSources;
    /** Properties of the node for the downward API. */
    facts?: Pick<NodeFacts, 'hostIps' | 'allocatable'>;
    network?: SimulatedNetwork;
    volumeFiles?: VolumeFiles;
    /** The services of all namespaces, which containers find in their variables. */
    services?: () => readonly Service[];
    stopMs?: number | undefined;
    /** Images whose programs are functions. */
    images?: DefinedImages | undefined;
    observer?: StepObserver | undefined;
  }) {
    this.#defined = options.images ?? new DefinedImages();
    this.#stopMs = options.stopMs ?? 0;
    this.#sources = options.sources ?? noSources;
    this.#volumes = new AwaitedVolumes(this.#sources, options.observer);
    this.#facts = options.facts ?? { hostIps: [], allocatable: {} };
    this.#clock = options.clock;
    this.#random = options.random;
    this.#addresses = new PodAddresses(options.podCidr);
    const volumeFiles = options.volumeFiles ?? new VolumeFiles();
    this.#worlds = new ContainerWorlds({
      clock: this.#clock,
      random: this.#random,
      network: options.network ?? noNetwork,
      claimFiles: async (namespace, name) => {
        const { spec } = await this.#sources.claim(namespace, name);
        return volumeFiles.of(spec?.volumeName ?? '', this.#clock.now());
      },
      services: options.services ?? (() => []),
      sources: (podIps) => contentSources(this.#sources, { ...this.#facts, podIps }),
      containersOf: (sandboxId) => this.#containersOf(sandboxId).map(([, container]) => container),
      ports: (container, pod) => container.program?.ports ?? knownPorts(pod, container.spec),
      end: (container, exitCode) => {
        const [id] = this.#containersOf(container.sandbox.id).find(([, one]) => one === container) ?? [];
        if (id !== undefined) this.#end(id, exitCode);
      },
    });
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
    checkImage(name, pod, this.#defined.find(name) !== undefined);
    const image = { ref: imageRef(name), sizeBytes: imageSizeBytes(name), pulledInMs: delayMs };
    this.#images.set(name, image);
    return image;
  }

  async runSandbox(pod: Pod): Promise<Sandbox> {
    await this.#volumes.ready(pod);
    if (pod.spec?.hostNetwork) return { id: this.#newId(), ips: [] };
    const ip = this.#addresses.take();
    if (ip === undefined)
      throw new RuntimeFailure('CreatePodSandboxError', 'no free pod address is left on this node');
    return { id: this.#newId(), ips: [ip] };
  }

  podsKnown(pods: readonly Pod[]): void {
    this.#addresses.podsKnown(pods);
    for (const pod of pods)
      for (const { image, imageID } of pod.status?.containerStatuses ?? [])
        if (image && imageID)
          this.#images.set(image, { ref: imageID, sizeBytes: imageSizeBytes(image), pulledInMs: 0 });
  }

  podChanged(pod: Pod): void {
    const { uid = '' } = pod.metadata ?? {};
    if (this.#pods.has(uid)) this.#pods.set(uid, pod);
  }

  async removePod({ metadata }: Pod): Promise<void> {
    this.#pods.delete(metadata?.uid ?? '');
    this.#volumes.forget(metadata?.uid ?? '');
  }

  async stopSandbox({ id, ips }: Sandbox): Promise<void> {
    this.#worlds.forget(id);
    for (const ip of ips) this.#addresses.release(ip);
  }

  async startContainer(request: StartRequest): Promise<StartedContainer> {
    const { pod, container } = request;
    const behaviour = this.#behaviourOf(pod, container);
    if (behaviour.held) {
      await aborted(request.signal);
      throw request.signal.reason as Error;
    }
    await environmentReady(pod, container, this.#sources);
    const id = this.#newId();
    const why = this.#startFailure(container);
    if (why !== undefined && !behaviour.isAsked) throw this.#notStarted(id, why);
    this.#run(id, request, behaviour, this.#clock.now());
    const { startedMs } = this.#containers.get(id)!;
    return behaviour.ready ? { id, startedMs } : { id, startedMs, neverReady: true };
  }

  adoptContainer(request: StartRequest, { id, startedMs }: KnownContainer): boolean {
    this.#run(id, request, this.#behaviourOf(request.pod, request.container), startedMs);
    return true;
  }

  async stopContainer(id: string, graceMs: number): Promise<void> {
    const container = this.#containers.get(id);
    if (container === undefined || !container.isRunning) return;
    const delayMs = durationAnnotation(this.#podOf(container), 'stop-delay') || this.#stopMs;
    if (delayMs > 0) await this.#clock.sleep(Math.min(delayMs, graceMs));
    const stopped = delayMs > graceMs ? 137 : 0;
    this.#end(id, delayMs > 0 ? stopped : ((await container.program?.stop(graceMs)) ?? stopped));
  }

  removeContainer(id: string): void {
    const container = this.#containers.get(id);
    container?.close();
    this.#containers.delete(id);
  }

  async probe(id: string, probe: Probe, kind: ProbeKind): Promise<ProbeResult> {
    const container = this.#containers.get(id);
    if (container === undefined) return { success: false, output: 'container not found' };
    const asked = annotation(this.#podOf(container), `probe.${kind.toLowerCase()}`);
    if (asked === 'fail' || (kind === 'Readiness' && !container.behaviour.ready))
      return { success: false, output: 'the simulation was asked to fail it' };
    const { spec, sandbox, program } = container;
    if (program !== undefined) return probeProgram(program, probe, kind, this.#visitOf(container));
    return simulateProbe(probe, {
      spec,
      host: sandbox.ips[0] ?? this.#facts.hostIps[0] ?? '',
      listens: (port) => this.#listenerOn(sandbox, port) !== undefined,
      exec: container.behaviour.process && ((command) => this.#probeBy(container, command)),
    });
  }

  async runHook(
    id: string,
    kind: HookKind,
    handler: LifecycleHandler,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const container = this.#running(id);
    if (annotation(this.#podOf(container), `hook.${kind.toLowerCase()}`) === 'fail')
      throw new RuntimeFailure('HookFailed', 'the simulation was asked to fail it');
    if (container.program !== undefined)
      return runProgramHook(container.program, handler, this.#visitOf(container), signal);
    await simulateHook(handler, () => this.#worldOf(container), this.#clock, signal);
  }

  async *logs(id: string, options: LogOptions): AsyncIterable<Uint8Array> {
    const container = this.#containers.get(id);
    if (container === undefined)
      throw new RuntimeFailure('NotFound', `container ${id} is not there any more`);
    yield* simulatedLog(container, this.#podOf(container), options, this.#clock);
  }

  async exec(id: string, command: readonly string[], streams: ExecStreams): Promise<number> {
    const container = this.#running(id);
    return execIn(await this.#worldOf(container), command, streams, this.#clock, () => this.#newId());
  }

  async attach(id: string, streams: ExecStreams): Promise<void> {
    const container = this.#running(id);
    const code = await attachTo(container, streams, {
      clock: this.#clock,
      world: () => this.#worldOf(container),
      wrote: (text) => this.#wrote(container, text),
      log: (signal) => this.logs(id, { ...(signal && { signal }), follow: true, tailLines: 0 }),
    });
    if (code !== undefined) this.#end(id, code);
  }

  async portForward(sandbox: Sandbox, port: number, streams: ExecStreams): Promise<void> {
    const server = this.#serverOn(sandbox, port, '127.0.0.1');
    if (server !== undefined) return serveConnection(server, streams);
    throw new RuntimeFailure(
      'ConnectionRefused',
      `failed to execute portforward in network namespace "/var/run/netns/cni-${sandbox.id.slice(0, 8)}": failed to connect to localhost:${port} inside namespace "${sandbox.id}", IPv4: dial tcp4 127.0.0.1:${port}: connect: connection refused IPv6 dial tcp6: address localhost: no suitable address found `,
    );
  }

  #notStarted(id: string, message: string): RuntimeFailure {
    const exit = { exitCode: startFailureCode, reason: 'StartError', message, finishedMs: this.#clock.now() };
    return new RuntimeFailure('RunContainerError', message, { ended: { id, exit } });
  }

  /** What a running container serves; undefined if that depends on its pod alone. */
  listening(podUid: string, containerName: string): ListeningProgram | undefined {
    for (const container of this.#containers.values())
      if (container.isRunning && container.podUid === podUid && container.spec.name === containerName)
        return this.#listening(container);
    return undefined;
  }

  /** Its functions if the image is defined, or its files if the image is a web server. */
  #listening(container: SimulatedContainer): ListeningProgram | undefined {
    if (container.program !== undefined) return container.program;
    const { spec } = container;
    if (documentRoot(spec, webPort) === undefined) return undefined;
    const pod = this.#podOf(container);
    return {
      speaksTls: false,
      listensOn: (port) => listensOn(pod, spec, port),
      server: (port) => {
        const page = pageServer(pod, spec.name, port);
        const root = documentRoot(spec, port);
        const files = async () => (await this.#worldOf(container)).files;
        return root === undefined ? page : documentServer(files, root, page);
      },
    };
  }

  #behaviourOf(pod: Pod, container: Container): Behaviour {
    const definition = this.#definitionOf(container);
    return definition === undefined
      ? behaviourOf(pod, container)
      : definedBehaviour(pod, container, definition);
  }

  /** The user's, or else that of a well-known image. */
  #definitionOf(container: Container): ImageDefinition | undefined {
    return this.#defined.find(container.image ?? '') ?? knownDefinition(container);
  }

  /** The reason why its command cannot be started; undefined if the contents of the image are unknown. */
  #startFailure({ image = '', command = [], args = [] }: Container): string | undefined {
    const definition = this.#defined.find(image);
    if (definition === undefined) return startFailure(image, [...command, ...args]);
    const own = new Map(Object.keys(definition.commands ?? {}).map((name) => [name, () => 0]));
    return command.length === 0 || isKnownProgram(command[0]!, own) ? undefined : missingProgram(command[0]!);
  }

  #visitOf(container: SimulatedContainer): ContainerVisit {
    const host = container.sandbox.ips[0] ?? this.#facts.hostIps[0] ?? '';
    return {
      host,
      clock: this.#clock,
      world: () => this.#worldOf(container),
      // A node can reach its own pods whatever the policies are.
      connect: async (address, port) => {
        if (address !== host && address !== 'localhost' && !address.startsWith('127.'))
          return (await this.#worldOf(container)).network.connect(address, port);
        const server = this.#serverOn(container.sandbox, port, this.#facts.hostIps[0] ?? '127.0.0.1');
        if (server === undefined) throw new NetworkFailure('Connection refused');
        return server;
      },
    };
  }

  #serverOn(sandbox: Sandbox, port: number, client: string): HttpServer | undefined {
    const listener = this.#listenerOn(sandbox, port);
    if (listener === undefined) return undefined;
    return (
      this.#listening(listener)?.server(port, client) ??
      pageServer(this.#podOf(listener), listener.spec.name, port)
    );
  }

  /** The running containers of a pod. */
  #containersOf(sandboxId: string): readonly (readonly [id: string, SimulatedContainer])[] {
    return [...this.#containers].filter(([, one]) => one.isRunning && one.sandbox.id === sandboxId);
  }

  /** The container whose program listens on a port of the pod. */
  #listenerOn({ id }: Sandbox, port: number): SimulatedContainer | undefined {
    const [, listener] =
      this.#containersOf(id).find(
        ([, { program, spec, podUid }]) =>
          program?.listensOn(port) ?? listensOn(this.#pods.get(podUid)!, spec, port),
      ) ?? [];
    return listener;
  }

  /** All of its files are known, so the result of a command can be determined. */
  async #probeBy(container: SimulatedContainer, command: readonly string[]): Promise<ProbeResult> {
    const said: string[] = [];
    const report = (bytes: Uint8Array) => void said.push(new TextDecoder().decode(bytes));
    const streams = { stdout: report, stderr: report, signal: container.signal };
    const code = await execute(await this.#worldOf(container), command, streams, this.#clock);
    return { success: code === 0, output: said.join('') };
  }

  /** @throws RuntimeFailure */
  #running(id: string): SimulatedContainer {
    const container = this.#containers.get(id);
    if (container?.isRunning) return container;
    throw new RuntimeFailure('NotFound', 'container not found');
  }

  #podOf({ podUid }: SimulatedContainer): Pod {
    return this.#pods.get(podUid)!;
  }

  #worldOf(container: SimulatedContainer): Promise<ContainerWorld> {
    return this.#worlds.of(container, this.#podOf(container));
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
    container.program = this.#programOf(id, container);
    const { end, process } = behaviour;
    if (container.program?.parts.isServing && end === undefined)
      whenFulfilled(container.program.start(), (code) => this.#end(id, code));
    if (process !== undefined) detach(this.#process(id, container, process));
    if (end === undefined) return;
    const endMs = startedMs + end.afterMs;
    const leftMs = Math.max(0, endMs - this.#clock.now());
    container.endTimer = this.#clock.after(leftMs, () => this.#end(id, end.exitCode, endMs, end.reason));
  }

  #programOf(id: string, container: SimulatedContainer): RunningProgram | undefined {
    const { spec, restarts, sandbox } = container;
    const definition = this.#definitionOf(spec);
    if (definition === undefined) return undefined;
    return new RunningProgram({
      definition,
      spec,
      restarts,
      pod: () => this.#podOf(container),
      address: sandbox.ips[0] ?? this.#facts.hostIps[0] ?? '',
      world: () => this.#worldOf(container),
      clock: this.#clock,
      random: this.#random,
      ended: container.signal,
      isServing: runsOwnProgram(spec),
      say: (line) => this.#wrote(container, line),
      exit: (code) => this.#end(id, code),
    });
  }

  /** Runs known commands. A container without files, for example because a volume cannot be read, ends at once. */
  async #process(id: string, container: SimulatedContainer, argv: readonly string[]): Promise<void> {
    const clock = catchUpClock(this.#clock, container.startedMs);
    const kept = linesInto((text) => this.#wrote(container, text, clock.now()));
    if (container.spec.stdin) container.input = new Pipe(clock);
    const stdin = container.input?.chunks();
    const streams = {
      stdout: kept.chunk,
      stderr: kept.chunk,
      signal: container.signal,
      ...(stdin && { stdin }),
    };
    try {
      const world = await this.#worldOf(container);
      const expanded = argv.map((word) => expandVariables(word, (name) => world.env.get(name)));
      const code = await executeMain(world, expanded, streams, clock);
      kept.flush();
      this.#end(id, code, clock.now());
    } catch (failure) {
      this.#wrote(container, messageOf(failure));
      this.#end(id, startFailureCode);
    }
  }

  #end(
    id: string,
    exitCode: number,
    finishedMs = this.#clock.now(),
    reason = exitCode === 0 ? 'Completed' : 'Error',
  ): void {
    const container = this.#containers.get(id);
    if (container === undefined || !container.isRunning) return;
    container.end(finishedMs);
    const message = terminationMessage(container, this.#podOf(container), exitCode);
    const exit: ContainerExit = {
      exitCode,
      reason,
      finishedMs,
      ...(message !== '' && { message }),
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
