import type { Clock, Random } from '@coxswain/apimachinery';
import type { RestClientOptions, Transport } from '@coxswain/client';

/** All that a command touches of the world outside. */
export interface KubectlIo {
  readonly out: { write(text: string | Uint8Array): unknown };
  readonly err: { write(text: string | Uint8Array): unknown };
  /** All of standard input, read when it is first asked for. */
  stdin(): Promise<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborted when the user wants the command to stop. */
  readonly signal?: AbortSignal;
  /** Whether a terminal is on the other side of standard input, and its width if one shows the output. */
  readonly stdinIsTerminal?: boolean;
  readonly columns?: number;
  /** Runs another program (an editor, a plugin, diff) on this terminal; resolves with its exit code. */
  spawn?(command: string, args: readonly string[], options?: SpawnOptions): Promise<number>;
  /** Instead of the connection that the kubeconfig describes. */
  readonly transport?: Transport;
  /** Sees every request: `coxswain trace` hangs here. */
  readonly observer?: RestClientOptions['observer'];
}

export interface SpawnOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where its standard output goes; the terminal by default. */
  readonly out?: { write(text: string | Uint8Array): unknown };
}
