import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { LifecycleHandler, Probe } from '@coxswain/api/core/v1/probe.ts';
import type { ExecStreams, LogOptions } from './connection.ts';

/**
 * What runs containers. The calls are those of the CRI (RunPodSandbox, PullImage, CreateContainer with
 * StartContainer, StopContainer, RemovePodSandbox, Exec, the log file), so that a CRI client fits behind it;
 * the kubelet keeps all decisions: order, restarts, back-off, probes, status.
 *
 * Failures of `pullImage` and `startContainer` are {@link RuntimeFailure}s; anything else thrown is a bug, or the
 * reason of the signal that stopped them.
 */
export interface Runtime {
  /** `containerd`; container ids are written `<name>://<id>`. */
  readonly name: string;
  readonly version: string;
  /** The image if the node has it. */
  image(name: string): ImageInfo | undefined;
  /** @throws the signal's reason when it aborts meanwhile */
  pullImage(name: string, pod: Pod, signal: AbortSignal): Promise<ImageInfo>;
  /** The pod's network and namespaces. Host network pods get no address of their own. */
  runSandbox(pod: Pod): Promise<Sandbox>;
  removeSandbox(sandbox: Sandbox): Promise<void>;
  startContainer(request: StartRequest): Promise<StartedContainer>;
  /** Asks to stop, kills after `graceMs`. Resolves after {@link RuntimeListener.exited} was called. */
  stopContainer(id: string, graceMs: number): Promise<void>;
  /** Its logs go with it. */
  removeContainer(id: string): void;
  /** A container that was running when the kubelet stopped; false when it is gone. */
  adoptContainer(request: StartRequest, known: KnownContainer): boolean;
  probe(id: string, probe: Probe, kind: ProbeKind): Promise<ProbeResult>;
  /**
   * Runs a hook's command, or sends its request; waiting (`sleep`) is the kubelet's.
   * @throws RuntimeFailure when it fails, or the signal's reason when it aborts meanwhile
   */
  runHook(
    id: string,
    kind: HookKind,
    handler: LifecycleHandler,
    signal: AbortSignal | undefined,
  ): Promise<void>;
  /** @throws RuntimeFailure when there is no such container any more */
  logs(id: string, options: LogOptions): AsyncIterable<Uint8Array>;
  /** Resolves with the exit code. @throws RuntimeFailure when the command cannot be run */
  exec(id: string, command: readonly string[], streams: ExecStreams): Promise<number>;
  /** Joins the main process; resolves when it ends or the streams' signal aborts. @throws RuntimeFailure */
  attach(id: string, streams: ExecStreams): Promise<void>;
  /** Carries bytes to and from a port of the pod. @throws RuntimeFailure */
  portForward(sandbox: Sandbox, port: number, streams: ExecStreams): Promise<void>;
  /** Tells what happens by itself. */
  listen(listener: RuntimeListener): void;
}

export interface RuntimeListener {
  exited(id: string, exit: ContainerExit): void;
}

export interface ImageInfo {
  /** With digest, as in `imageID`. */
  readonly ref: string;
  readonly sizeBytes: number;
  readonly pulledInMs: number;
}

export interface Sandbox {
  readonly id: string;
  readonly ips: readonly string[];
}

export interface StartRequest {
  readonly pod: Pod;
  readonly sandbox: Sandbox;
  readonly container: Container;
  /** How often it was started before. */
  readonly restarts: number;
  /** Aborts when the pod is to stop before the container is up. */
  readonly signal: AbortSignal;
}

export interface StartedContainer {
  readonly id: string;
  readonly startedMs: number;
  /** Of a simulation only: it is not ready although no probe says so. */
  readonly neverReady?: boolean;
}

export interface KnownContainer extends StartedContainer {
  readonly image: ImageInfo;
}

export interface ContainerExit {
  readonly exitCode: number;
  /** `Completed`, `Error`, `OOMKilled`, … */
  readonly reason: string;
  readonly message?: string;
  readonly finishedMs: number;
}

export type ProbeKind = 'Readiness' | 'Liveness' | 'Startup';

export type HookKind = 'PostStart' | 'PreStop';

export interface ProbeResult {
  readonly success: boolean;
  readonly output: string;
}

/** `code` is the reason that a waiting container shows: `ErrImagePull`, `CreateContainerError`, … */
export class RuntimeFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'RuntimeFailure';
    this.code = code;
  }
}
