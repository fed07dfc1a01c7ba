import type { Pod } from '@coxswain/api/core/v1/pod.ts';

/**
 * Access to a node's containers for `kubectl logs`, `exec`, `attach` and `port-forward`: the interface that the API
 * server's handlers call, in process or over the node's HTTPS port.
 */
export interface KubeletConnection {
  /** @throws StatusError 404 or 400 if the pod or container does not exist (yet) */
  logs(target: ContainerTarget, options: LogOptions): Promise<AsyncIterable<Uint8Array>>;
  /** Resolves with the exit code. */
  exec(target: ContainerTarget, command: readonly string[], streams: ExecStreams): Promise<number>;
  /** Attaches to the streams of the running main process; resolves when it ends or the client disconnects. */
  attach(target: ContainerTarget, streams: ExecStreams): Promise<void>;
  portForward(pod: PodTarget, port: number, streams: ExecStreams): Promise<void>;
  /** The pods of the node as known to the kubelet. */
  pods(): readonly Pod[];
}

export interface PodTarget {
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
}

export interface ContainerTarget extends PodTarget {
  readonly container: string;
}

export interface LogOptions {
  readonly follow?: boolean;
  /** The log of the previous instance of the container. */
  readonly previous?: boolean;
  readonly timestamps?: boolean;
  /** Only this number of lines at the end. */
  readonly tailLines?: number;
  /** Only lines since this time, in milliseconds since 1970. */
  readonly sinceMs?: number;
  readonly limitBytes?: number;
  /** `Stdout`, `Stderr` or `All`. */
  readonly stream?: string;
  readonly signal?: AbortSignal;
}

export interface ExecStreams {
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** A returned promise delays the next chunk until it resolves. */
  readonly stdout?: (chunk: Uint8Array) => void | Promise<void>;
  readonly stderr?: (chunk: Uint8Array) => void | Promise<void>;
  readonly tty?: boolean;
  /** The initial size of the terminal, and each new one. */
  readonly sizes?: AsyncIterable<TerminalSize>;
  readonly signal?: AbortSignal;
}

/** In characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}
