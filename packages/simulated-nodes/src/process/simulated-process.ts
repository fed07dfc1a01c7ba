import type { Clock, Random } from '@coxswain/apimachinery';
import type { PodNetwork } from '../network/pod-network.ts';
import type { ByteInput } from '../network/byte-input.ts';
import type { ContainerFiles } from './container-files.ts';

/** One command that runs in a simulated container. */
export interface SimulatedProcess {
  readonly argv: readonly string[];
  readonly env: Map<string, string>;
  /** Its working directory; `cd` changes it. */
  readonly place: { folder: string };
  readonly hostname: string;
  readonly files: ContainerFiles;
  readonly network: PodNetwork;
  readonly stdin: ByteInput;
  readonly stdout: ByteOutput;
  readonly stderr: ByteOutput;
  readonly tty: boolean;
  /** Of a terminal, as it is now. */
  readonly terminal: TerminalState;
  readonly clock: Clock;
  readonly random: Random;
  /** Programs of its image, by name or path. */
  readonly commands?: ReadonlyMap<string, Program> | undefined;
  readonly signal: AbortSignal;
}

/** Zeros where nobody said. */
export interface TerminalState {
  rows: number;
  columns: number;
  /** The first size has come, or none will. */
  readonly known: Promise<void>;
}

export type ByteOutput = (bytes: Uint8Array) => void | Promise<void>;

/** Runs to its exit code. */
export type Program = (process: SimulatedProcess) => Promise<number> | number;

const encoder = new TextEncoder();

export const print = async (output: ByteOutput, text: string): Promise<void> => {
  if (text !== '') await output(encoder.encode(text));
};

/** `cat: x: No such file or directory`, and exit code 1. */
export async function complain({ argv, stderr }: SimulatedProcess, text: string, code = 1): Promise<number> {
  await print(stderr, `${argv[0]}: ${text}\n`);
  return code;
}
