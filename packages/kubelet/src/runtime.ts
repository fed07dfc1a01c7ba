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
  /** Containers go on when this process ends, and {@link knownPod} finds them again. */
  readonly outlivesKubelet: boolean;
  /** What containers ask for bounds them. */
  readonly enforcesResources?: boolean;
  /** The image if the node has it and the pod may use it. */
  image(name: string, pod: Pod): ImageInfo | undefined | Promise<ImageInfo | undefined>;
  /** @throws the signal's reason when it aborts meanwhile */
  pullImage(name: string, pod: Pod, signal: AbortSignal): Promise<ImageInfo>;
  /**
   * The pod's network and namespaces. Host network pods get no address of their own.
   * @throws RuntimeFailure with `FailedMount` when a volume isn't there (yet)
   */
  runSandbox(pod: Pod): Promise<Sandbox>;
  /** Ends what `runSandbox` made; logs stay. Resolves when all is gone. */
  stopSandbox(sandbox: Sandbox, pod: Pod): Promise<void>;
  /** What is left of a pod whose object is gone: containers, logs, files. */
  removePod?(pod: Pod): Promise<void>;
  /** What the runtime itself knows of a pod that an earlier kubelet ran; undefined for nothing. */
  knownPod?(pod: Pod): KnownPod | undefined;
  /** The pods of the node when the kubelet begins, before the first of them is looked after. */
  podsKnown?(pods: readonly Pod[]): void;
  /** The object has changed: what containers see of it changes, too. */
  podChanged?(pod: Pod): void;
  startContainer(request: StartRequest): Promise<StartedContainer>;
  /** What running containers of a pod may use has changed, `before` being the pod as it was. */
  resize?(before: Pod, pod: Pod, containers: readonly ResizedContainer[]): Promise<void>;
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

export interface ResizedContainer {
  readonly id: string;
  readonly from: Container;
  readonly to: Container;
}

export interface RuntimeListener {
  exited(id: string, exit: ContainerExit): void;
  /** A pod's sandbox has ended by itself, and its network with it. */
  sandboxLost?(podUid: string, sandboxId: string): void;
}

/** A pod as the runtime has it. */
export interface KnownPod {
  /** undefined when it has ended. */
  readonly sandbox: Sandbox | undefined;
  readonly runs: readonly KnownRun[];
}

/** One container of a pod, running or not any more. */
export interface KnownRun {
  readonly name: string;
  readonly id: string;
  readonly restarts: number;
  readonly image: ImageInfo;
  readonly startedMs: number;
  /** What it was made from is still what the pod asks for. */
  readonly isCurrent: (container: Container) => boolean;
  readonly exit: ContainerExit | undefined;
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
  /** When to try again, where the runtime knows better than its caller. */
  readonly retryMs: number | undefined;
  /** A container that was made, but could not be started: it counts as one that has ended. */
  readonly ended: { readonly id: string; readonly exit: ContainerExit } | undefined;

  constructor(
    code: string,
    message: string,
    more: { readonly retryMs?: number; readonly ended?: RuntimeFailure['ended'] } = {},
  ) {
    super(message);
    this.name = 'RuntimeFailure';
    this.code = code;
    this.retryMs = more.retryMs;
    this.ended = more.ended;
  }
}
