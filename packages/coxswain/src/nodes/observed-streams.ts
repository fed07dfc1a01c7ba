import { runStep, type StepObserver } from '@coxswain/apimachinery';
import type { ExecStreams } from '@coxswain/kubelet';
import type { CommandStatus } from '@coxswain/streaming';

/** A command in a container as a step, from its beginning to its end, with the bytes that passed and how it ended. */
export function observedStreams(
  observer: StepObserver | undefined,
  operation: string,
  command: readonly string[],
  streams: ExecStreams,
  run: (streams: ExecStreams) => Promise<CommandStatus>,
): Promise<CommandStatus> {
  if (observer === undefined) return run(streams);
  const bytes: Record<string, number> = {};
  const counted = countedStreams(streams, (stream, count) => (bytes[stream] = (bytes[stream] ?? 0) + count));
  const told = command.length === 0 ? {} : { command };
  return runStep(
    observer,
    `stream/${operation}`,
    async () => {
      const status = await run(counted);
      observer.note?.({ bytes, ended: status });
      return status;
    },
    told,
  );
}

function countedStreams(
  { stdin, stdout, stderr, ...others }: ExecStreams,
  count: (stream: string, bytes: number) => void,
): ExecStreams {
  const writer = (name: string, write: NonNullable<ExecStreams['stdout']>) => (chunk: Uint8Array) => {
    count(name, chunk.length);
    return write(chunk);
  };
  return {
    ...others,
    ...(stdin && { stdin: counted(stdin, (bytes) => count('stdin', bytes)) }),
    ...(stdout && { stdout: writer('stdout', stdout) }),
    ...(stderr && { stderr: writer('stderr', stderr) }),
  };
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}
