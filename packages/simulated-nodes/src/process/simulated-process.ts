import type { Clock, Random } from '@coxswain/apimachinery';
import type { PodNetwork } from '../network/pod-network.ts';
import type { ByteInput } from '../network/byte-input.ts';
import type { ContainerFiles } from './container-files.ts';
import type { ProcessTable } from './process-table.ts';
import type { User } from './user.ts';

/** A command that runs in a simulated container. */
export interface SimulatedProcess {
  readonly argv: readonly string[];
  readonly env: Map<string, string>;
  /** Array variables, which programs do not inherit. */
  readonly arrays?: Map<string, readonly string[]> | undefined;
  /** The working directory, which `cd` changes. */
  readonly place: { directory: string };
  readonly hostname: string;
  /** Of the pod. */
  readonly addresses: readonly string[];
  /** The ports on which the pod listens. */
  readonly ports: () => readonly number[];
  readonly user: User;
  readonly pid: number;
  readonly processes: ProcessTable;
  readonly files: ContainerFiles;
  readonly network: PodNetwork;
  readonly stdin: ByteInput;
  readonly stdout: ByteOutput;
  readonly stderr: ByteOutput;
  readonly tty: boolean;
  /** The current size of the terminal. */
  readonly terminal: TerminalState;
  readonly clock: Clock;
  readonly random: Random;
  /** Programs of the image, by name or path. */
  readonly commands?: ReadonlyMap<string, Program> | undefined;
  /** Starts the program that `argv` names. Resolves with its exit code, or with undefined if it does not exist. */
  readonly start: (process: SimulatedProcess) => Promise<number | undefined>;
  readonly signal: AbortSignal;
}

/** Zeros if the client did not send a size. */
export interface TerminalState {
  rows: number;
  columns: number;
  /** Resolves when the first size has arrived, or none will. */
  readonly known: Promise<void>;
}

export type ByteOutput = (bytes: Uint8Array) => void | Promise<void>;

/** Resolves with the exit code. */
export type Program = (process: SimulatedProcess) => Promise<number> | number;

const encoder = new TextEncoder();

export const print = async (output: ByteOutput, text: string): Promise<void> => {
  if (text !== '') await output(encoder.encode(text));
};

/** Prints `cat: x: No such file or directory` and returns exit code 1. */
export async function complain({ argv, stderr }: SimulatedProcess, text: string, code = 1): Promise<number> {
  await print(stderr, `${argv[0]}: ${text}\n`);
  return code;
}
