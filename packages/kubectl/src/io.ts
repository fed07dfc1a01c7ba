import type { Clock, Random } from '@coxswain/apimachinery';
import type { RestClientOptions, Transport } from '@coxswain/client';

/** Everything that a command uses of its environment. */
export interface KubectlIo {
  readonly out: { write(text: string | Uint8Array): unknown };
  readonly err: { write(text: string | Uint8Array): unknown };
  /** Returns all of standard input, which is read on first use. */
  stdin(): Promise<string>;
  /** Standard input as it arrives, for forwarding; closed when no more is needed. */
  openStdin?(): { readonly chunks: AsyncIterable<Uint8Array>; close(): void };
  /** Set if standard input is a terminal. */
  readonly terminal?: Terminal;
  /** Called by Ctrl-C instead of ending the program; returns a function that restores the default. */
  onInterrupt?(listener: () => void): () => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborted when the user wants the command to stop. */
  readonly signal?: AbortSignal;
  /** Whether standard input is a terminal; the next field is the width of a terminal that shows the output. */
  readonly stdinIsTerminal?: boolean;
  readonly columns?: number;
  /** Like `columns`, for a terminal that shows the errors; the next field is the number of lines. */
  readonly errColumns?: number;
  readonly rows?: number;
  /** Runs another program (an editor, a plugin, diff) on this terminal; resolves with its exit code. */
  spawn?(command: string, args: readonly string[], options?: SpawnOptions): Promise<number>;
  /** Replaces the connection described by the kubeconfig; the user is still that of kubeconfig and options. */
  readonly transport?: Transport;
  /** Observes every request; used by `coxswain trace`. */
  readonly observer?: RestClientOptions['observer'];
}

export interface SpawnOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The destination of its standard output. Defaults to the terminal. */
  readonly out?: { write(text: string | Uint8Array): unknown };
}

export interface Terminal {
  size(): { readonly width: number; readonly height: number };
  onResize(listener: () => void): () => void;
  /** In raw mode, every key goes to the reader, including Ctrl-C. */
  setRaw(isRaw: boolean): void;
}
