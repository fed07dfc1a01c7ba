/** A program of this repository, run in this process as `main.ts` runs it. */
import { Readable } from 'node:stream';
import type { ProgramIo } from 'coxswain/program/program-io.ts';
import { programs } from 'coxswain/program/programs.ts';
import { runCoxswain } from '../../packages/coxswain/src/commands/root.ts';

export interface Outcome {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly home: string;
  readonly signal?: AbortSignal;
  /** Told of everything that is written, as it is written. */
  readonly written?: (text: string) => void;
  /** As on a terminal, where what is being done is told. */
  readonly columns?: number;
}

export async function runProgram(
  [name = '', ...args]: readonly string[],
  { home, signal = new AbortController().signal, written = () => {}, columns }: RunOptions,
): Promise<Outcome> {
  const texts = { out: '', err: '' };
  const writer = (key: 'out' | 'err') => ({
    write(text: string) {
      texts[key] += text;
      written(text);
    },
  });
  const io: ProgramIo = {
    out: writer('out'),
    err: writer('err'),
    input: Readable.from([]),
    env: { HOME: home },
    signal,
    ...(columns !== undefined && { columns }),
  };
  const program = programs[name];
  const status =
    program === undefined ? await runCoxswain([name, ...args], io) : await (await program.load())(args, io);
  return { status, ...texts };
}
