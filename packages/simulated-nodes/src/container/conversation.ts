/** Talking to the main process of a simulated container. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { ExecStreams } from '@coxswain/kubelet/connection.ts';

/** A shell, `cat`, or an image's default when it is to be talked to: what attaching gives a conversation with. */
export function attachableProgram({
  stdin,
  command = [],
  args = [],
}: Container): readonly string[] | undefined {
  if (!stdin) return undefined;
  const argv = [...command, ...args];
  if (argv.length === 0) return ['sh'];
  return /^(.*\/)?((ba|a|da)?sh|cat)$/.test(argv[0]!) ? argv : undefined;
}

/** Takes bytes and hands on whole lines. */
export function linesInto(line: (text: string) => void) {
  const decoder = new TextDecoder();
  let rest = '';
  return {
    chunk(bytes: Uint8Array): void {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
      rest = lines.pop()!;
      for (const text of lines) line(text);
    },
    flush(): void {
      if (rest !== '') line(rest);
      rest = '';
    },
  };
}

/** Streams whose output is kept for the container's log too. */
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
