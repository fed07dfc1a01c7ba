import type { Pod } from '@coxswain/api/core/v1/pod.ts';

/**
 * The way to a node's containers for `kubectl logs`, `exec`, `attach` and `port-forward`: what the API
 * server's handlers call, in process or over the node's HTTPS port.
 */
export interface KubeletConnection {
  /** @throws StatusError 404 or 400 when pod or container are not there (yet) */
  logs(target: ContainerTarget, options: LogOptions): Promise<AsyncIterable<Uint8Array>>;
  /** Resolves with the exit code. */
  exec(target: ContainerTarget, command: readonly string[], streams: ExecStreams): Promise<number>;
  /** Joins the streams of the running main process; resolves when it ends or the client leaves. */
  attach(target: ContainerTarget, streams: ExecStreams): Promise<void>;
  portForward(pod: PodTarget, port: number, streams: ExecStreams): Promise<void>;
  /** The pods of the node, as the kubelet has them. */
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
  /** Of the run before the last restart. */
  readonly previous?: boolean;
  readonly timestamps?: boolean;
  /** Only the newest lines. */
  readonly tailLines?: number;
  /** Only lines from then on, milliseconds since 1970. */
  readonly sinceMs?: number;
  readonly limitBytes?: number;
  /** `Stdout`, `Stderr` or `All`. */
  readonly stream?: string;
  readonly signal?: AbortSignal;
}

export interface ExecStreams {
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** A promise holds back what comes next until it resolves. */
  readonly stdout?: (chunk: Uint8Array) => void | Promise<void>;
  readonly stderr?: (chunk: Uint8Array) => void | Promise<void>;
  readonly tty?: boolean;
  /** How large the terminal is at first, and whenever that changes. */
  readonly sizes?: AsyncIterable<TerminalSize>;
  readonly signal?: AbortSignal;
}

/** In characters. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}
