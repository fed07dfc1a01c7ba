import type { Clock, Random, Timer } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Probe } from '@coxswain/api/core/v1/probe.ts';
import type { ExecStreams, LogOptions } from '../connection.ts';
import { RuntimeFailure } from '../runtime.ts';
import type {
  ContainerExit,
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
import { annotation, durationAnnotation } from './annotations.ts';
import { behaviourOf, literalEnv } from './behaviour.ts';
import type { Behaviour } from './behaviour.ts';
import { knownCommands, runCommand } from './commands.ts';
import { selectLog } from './container-log.ts';
import type { LogLine } from './container-log.ts';
import { checkImage, imageRef, imageSizeBytes } from './images.ts';

interface SimulatedContainer {
  readonly request: StartRequest;
  readonly behaviour: Behaviour;
  readonly startedMs: number;
  endTimer: Timer | undefined;
  isRunning: boolean;
  readonly ended: PromiseWithResolvers<void>;
}

/** Containers of one node that are nothing but a record and, where they end, a timer. */
export class SimulatedRuntime implements Runtime {
  readonly name = 'containerd';
  readonly version = '2.1.0-simulated';
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #images = new Map<string, ImageInfo>();
  readonly #containers = new Map<string, SimulatedContainer>();
  readonly #addresses: AddressPool;
  #listener: RuntimeListener | undefined;

  constructor(options: { clock: Clock; random: Random; podCidr: string }) {
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

  async removeSandbox({ ips }: Sandbox): Promise<void> {
    for (const ip of ips) this.#addresses.release(ip);
  }

  async startContainer(request: StartRequest): Promise<StartedContainer> {
    const { pod, container } = request;
    const behaviour = behaviourOf(pod, container);
    if (behaviour.held) await aborted(request.signal);
    const id = this.#newId();
    this.#run(id, request, behaviour, this.#clock.now());
    const { startedMs } = this.#containers.get(id)!;
    return behaviour.ready ? { id, startedMs } : { id, startedMs, neverReady: true };
  }

  adoptContainer(request: StartRequest, { id, startedMs }: KnownContainer): boolean {
    for (const ip of request.sandbox.ips) this.#addresses.reserve(ip);
    this.#run(id, request, behaviourOf(request.pod, request.container), startedMs);
    return true;
  }

  async stopContainer(id: string, graceMs: number): Promise<void> {
    const container = this.#containers.get(id);
    if (container === undefined || !container.isRunning) return;
    const delayMs = durationAnnotation(container.request.pod, 'stop-delay');
    if (delayMs > 0) await this.#clock.sleep(Math.min(delayMs, graceMs));
    this.#end(id, delayMs > graceMs ? 137 : 0);
  }

  removeContainer(id: string): void {
    const container = this.#containers.get(id);
    container?.endTimer?.cancel();
    container?.ended.resolve();
    this.#containers.delete(id);
  }

  async probe(id: string, _probe: Probe, kind: ProbeKind): Promise<ProbeResult> {
    const container = this.#containers.get(id);
    if (container === undefined) return { success: false, output: 'container not found' };
    const asked = annotation(container.request.pod, `probe.${kind.toLowerCase()}`);
    const success = asked !== 'fail' && (kind !== 'Readiness' || container.behaviour.ready);
    return { success, output: success ? '' : 'the simulation was asked to fail it' };
  }

  async *logs(id: string, options: LogOptions): AsyncIterable<Uint8Array> {
    const container = this.#containers.get(id);
    if (container === undefined)
      throw new RuntimeFailure('NotFound', `container ${id} is not there any more`);
    const bytes = selectLog(logLines(container), options);
    if (bytes.length > 0) yield bytes;
    if (!options.follow || !container.isRunning) return;
    const aborted = new Promise<void>((resolve) =>
      options.signal?.addEventListener('abort', () => resolve(), { once: true }),
    );
    await Promise.race([container.ended.promise, aborted]);
  }

  async exec(id: string, command: readonly string[], streams: ExecStreams): Promise<number> {
    const container = this.#containers.get(id);
    if (container === undefined || !container.isRunning)
      throw new RuntimeFailure('NotFound', 'container not found');
    const { pod, container: spec } = container.request;
    const result = runCommand(command, { env: literalEnv(spec), hostname: pod.metadata?.name ?? '' });
    if (result === undefined) {
      const known = knownCommands.join(', ');
      throw new RuntimeFailure(
        'NotImplemented',
        `a simulated container cannot run "${command[0]}"; it knows ${known}`,
      );
    }
    if (result.afterMs > 0) await this.#clock.sleep(result.afterMs, streams.signal);
    if (result.output.length > 0) streams.stdout?.(encoder.encode(`${result.output.join('\n')}\n`));
    return result.exitCode;
  }

  async portForward(): Promise<void> {
    throw new RuntimeFailure('NotImplemented', 'a simulated container listens on no port');
  }

  #run(id: string, request: StartRequest, behaviour: Behaviour, startedMs: number): void {
    const container: SimulatedContainer = {
      request,
      behaviour,
      startedMs,
      endTimer: undefined,
      isRunning: true,
      ended: Promise.withResolvers<void>(),
    };
    this.#containers.set(id, container);
    const { end } = behaviour;
    if (end === undefined) return;
    const leftMs = Math.max(0, startedMs + end.afterMs - this.#clock.now());
    container.endTimer = this.#clock.after(leftMs, () => this.#end(id, end.exitCode));
  }

  #end(id: string, exitCode: number): void {
    const container = this.#containers.get(id);
    if (container === undefined || !container.isRunning) return;
    container.isRunning = false;
    container.endTimer?.cancel();
    container.ended.resolve();
    const exit: ContainerExit = {
      exitCode,
      reason: exitCode === 0 ? 'Completed' : 'Error',
      finishedMs: this.#clock.now(),
    };
    this.#listener?.exited(id, exit);
  }

  /** 64 hexadecimal digits. */
  #newId(): string {
    let id = '';
    while (id.length < 64)
      id += Math.floor(this.#random.next() * 2 ** 32)
        .toString(16)
        .padStart(8, '0');
    return id;
  }
}

/** Rejects when the signal aborts; never resolves. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });

const encoder = new TextEncoder();
const defaultTemplate = '{container} of {namespace}/{pod} started on {node} (simulated)';

function logLines({ request, behaviour, startedMs }: SimulatedContainer): readonly LogLine[] {
  const { pod, container, restarts } = request;
  const template = annotation(pod, 'log') ?? (behaviour.end === undefined ? defaultTemplate : undefined);
  const values: Readonly<Record<string, string>> = {
    pod: pod.metadata?.name ?? '',
    namespace: pod.metadata?.namespace ?? '',
    container: container.name,
    node: pod.spec?.nodeName ?? '',
    restarts: String(restarts),
  };
  const written =
    template?.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole).split('\n') ?? [];
  return [...written, ...behaviour.output].map((text) => ({ timeMs: startedMs, text }));
}
