import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { ContainerUser } from '@coxswain/api/core/v1/container-status.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { LifecycleHandler, Probe } from '@coxswain/api/core/v1/probe.ts';
import type { ExecStreams, LogOptions } from './connection.ts';

/**
 * Runs containers. The calls correspond to those of the CRI (RunPodSandbox, PullImage, CreateContainer with
 * StartContainer, StopContainer, RemovePodSandbox, Exec, the log file), so that a CRI client fits behind this
 * interface; the kubelet makes all decisions: order, restarts, back-off, probes, status.
 *
 * Failures of `pullImage` and `startContainer` are {@link RuntimeFailure}s; anything else that is thrown is a bug, or
 * the reason of the signal that stopped them.
 */
export interface Runtime {
  /** `containerd`; container IDs have the form `<name>://<id>`. */
  readonly name: string;
  readonly version: string;
  /** Whether containers keep running when this process ends, and {@link knownPod} finds them again. */
  readonly outlivesKubelet: boolean;
  /** Whether resource limits of containers are enforced. */
  readonly enforcesResources?: boolean;
  /** Returns the image if the node has it and the pod may use it. */
  image(name: string, pod: Pod): ImageInfo | undefined | Promise<ImageInfo | undefined>;
  /** @throws the signal's reason if it aborts */
  pullImage(name: string, pod: Pod, signal: AbortSignal): Promise<ImageInfo>;
  /**
   * Creates the pod's network and namespaces. Host network pods get no address of their own.
   * @throws RuntimeFailure with `FailedMount` if a volume isn't available (yet), or with
   * `FailedPrepareDynamicResources` if the devices of a claim aren't
   */
  runSandbox(pod: Pod): Promise<Sandbox>;
  /** Removes what `runSandbox` created, except for logs. Resolves when everything is gone. */
  stopSandbox(sandbox: Sandbox, pod: Pod): Promise<void>;
  /** Removes what is left of a pod whose object is gone: containers, logs, files. */
  removePod?(pod: Pod): Promise<void>;
  /** Returns what the runtime knows about a pod started by an earlier kubelet; undefined if it knows nothing. */
  knownPod?(pod: Pod): KnownPod | undefined;
  /** Called with the node's pods when the kubelet starts, before the first of them is handled. */
  podsKnown?(pods: readonly Pod[]): void;
  /** Updates what containers see of the pod object after a change. */
  podChanged?(pod: Pod): void;
  startContainer(request: StartRequest): Promise<StartedContainer>;
  /** Applies changed resources of running containers; `before` is the pod before the change. */
  resize?(before: Pod, pod: Pod, containers: readonly ResizedContainer[]): Promise<void>;
  /**
   * Asks the container to stop, and kills it after `graceMs`. Resolves after {@link RuntimeListener.exited} was called.
   */
  stopContainer(id: string, graceMs: number): Promise<void>;
  /** Removes the container with its logs. */
  removeContainer(id: string): void;
  /** Adopts a container that was running when the kubelet stopped; false if it is gone. */
  adoptContainer(request: StartRequest, known: KnownContainer): boolean;
  probe(id: string, probe: Probe, kind: ProbeKind): Promise<ProbeResult>;
  /**
   * Runs a hook's command, or sends its request; the kubelet itself implements `sleep`.
   * @throws RuntimeFailure if it fails, or the signal's reason if it aborts
   */
  runHook(
    id: string,
    kind: HookKind,
    handler: LifecycleHandler,
    signal: AbortSignal | undefined,
  ): Promise<void>;
  /** @throws RuntimeFailure if the container no longer exists */
  logs(id: string, options: LogOptions): AsyncIterable<Uint8Array>;
  /** Resolves with the exit code. @throws RuntimeFailure if the command cannot be run */
  exec(id: string, command: readonly string[], streams: ExecStreams): Promise<number>;
  /** Attaches to the main process; resolves when it ends or the streams' signal aborts. @throws RuntimeFailure */
  attach(id: string, streams: ExecStreams): Promise<void>;
  /** Forwards bytes to and from a port of the pod. @throws RuntimeFailure */
  portForward(sandbox: Sandbox, port: number, streams: ExecStreams): Promise<void>;
  /** Reports events that the kubelet did not initiate. */
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

/** A pod as the runtime knows it. */
export interface KnownPod {
  /** Undefined if it has ended. */
  readonly sandbox: Sandbox | undefined;
  readonly runs: readonly KnownRun[];
}

/** One container of a pod, running or ended. */
export interface KnownRun {
  readonly name: string;
  readonly id: string;
  readonly restarts: number;
  readonly image: ImageInfo;
  readonly startedMs: number;
  readonly user?: ContainerUser | undefined;
  /** Reports whether the container still matches the pod's spec. */
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
  /** The number of earlier starts. */
  readonly restarts: number;
  /** Aborts if the pod must stop before the container is running. */
  readonly signal: AbortSignal;
}

export interface StartedContainer {
  readonly id: string;
  readonly startedMs: number;
  /** Whom it first runs as, if the runtime tells. */
  readonly user?: ContainerUser | undefined;
  /** Only in a simulation: the container is never ready, whatever its probes say. */
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

/** `code` is the reason shown for a waiting container: `ErrImagePull`, `CreateContainerError`, … */
export class RuntimeFailure extends Error {
  readonly code: string;
  /** When to retry, if the runtime knows better than its caller. */
  readonly retryMs: number | undefined;
  /** A container that was created but could not be started; it counts as ended. */
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
