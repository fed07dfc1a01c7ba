import type { CommandIo } from './command/command.ts';

/** Streams that record what is written, for tests and for running a program inside another. */
export function recordedIo(columns?: number): CommandIo & { readonly text: { out: string; err: string } } {
  const text = { out: '', err: '' };
  return {
    text,
    out: { write: (more: string) => void (text.out += more) },
    err: { write: (more: string) => void (text.err += more) },
    ...(columns === undefined ? {} : { columns }),
  };
}
