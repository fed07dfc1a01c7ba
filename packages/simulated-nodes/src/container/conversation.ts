/** Standard input and output of the main process of a simulated container. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import { scriptOf } from '../behaviour/commands.ts';
import type { ExecStreams } from '@coxswain/kubelet/connection.ts';

/**
 * The programs that start when somebody attaches: a shell without a script, `cat`, or the default program of an image
 * that reads standard input.
 */
export function attachableProgram({
  stdin,
  command = [],
  args = [],
}: Container): readonly string[] | undefined {
  if (!stdin) return undefined;
  const argv = [...command, ...args];
  if (argv.length === 0) return ['sh'];
  return /^(.*\/)?((ba|a|da)?sh|cat)$/.test(argv[0]!) && scriptOf(argv) === undefined ? argv : undefined;
}

/** A longer line is passed on in parts. */
const lineCharactersMax = 256 * 1024;

/** Accepts bytes and passes on whole lines. */
export function linesInto(line: (text: string) => void) {
  const decoder = new TextDecoder();
  let rest = '';
  const flush = (): void => {
    if (rest !== '') line(rest);
    rest = '';
  };
  return {
    chunk(bytes: Uint8Array): void {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
      rest = lines.pop()!;
      for (const text of lines) line(text);
      if (rest.length > lineCharactersMax) flush();
    },
    flush,
  };
}

/** Streams whose output is also written to the container's log. */
export function recorded(streams: ExecStreams, line: (text: string) => void): ExecStreams {
  const { chunk: keep } = linesInto(line);
  return {
    ...streams,
    stdout: (chunk) => {
      keep(chunk);
      return streams.stdout?.(chunk);
    },
    stderr: (chunk) => {
      keep(chunk);
      return (streams.stderr ?? streams.stdout)?.(chunk);
    },
  };
}
