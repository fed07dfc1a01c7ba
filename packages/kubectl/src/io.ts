import type { Clock, Random } from '@coxswain/apimachinery';
import type { RestClientOptions, Transport } from '@coxswain/client';

/** All that a command touches of the world outside. */
export interface KubectlIo {
  readonly out: { write(text: string | Uint8Array): unknown };
  readonly err: { write(text: string | Uint8Array): unknown };
  /** All of standard input, read when it is first asked for. */
  stdin(): Promise<string>;
  /** Standard input as it comes, for who carries it elsewhere; closed when nothing more is wanted of it. */
  openStdin?(): { readonly chunks: AsyncIterable<Uint8Array>; close(): void };
  /** Where standard input is a terminal. */
  readonly terminal?: Terminal;
  /** Ctrl-C calls this instead of ending the program; returns what puts it back. */
  onInterrupt?(listener: () => void): () => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborted when the user wants the command to stop. */
  readonly signal?: AbortSignal;
  /** Whether a terminal is on the other side of standard input, and its width if one shows the output. */
  readonly stdinIsTerminal?: boolean;
  readonly columns?: number;
  /** As `columns`, if a terminal shows the errors; and how many lines a terminal has. */
  readonly errColumns?: number;
  readonly rows?: number;
  /** Runs another program (an editor, a plugin, diff) on this terminal; resolves with its exit code. */
  spawn?(command: string, args: readonly string[], options?: SpawnOptions): Promise<number>;
  /** Instead of the connection that the kubeconfig describes; who asks is still whom the kubeconfig and options name. */
  readonly transport?: Transport;
  /** Sees every request: `coxswain trace` hangs here. */
  readonly observer?: RestClientOptions['observer'];
}

export interface SpawnOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where its standard output goes; the terminal by default. */
  readonly out?: { write(text: string | Uint8Array): unknown };
}

export interface Terminal {
  size(): { readonly width: number; readonly height: number };
  onResize(listener: () => void): () => void;
  /** In raw mode every key goes to the reader, Ctrl-C too. */
  setRaw(isRaw: boolean): void;
}
