import { runStep, type StepObserver, type Work } from '@coxswain/apimachinery';
import type { ExecStreams } from '@coxswain/kubelet';
import type { CommandStatus } from '@coxswain/streaming';

export interface ObservedStreams {
  readonly observer: StepObserver | undefined;
  readonly operation: string;
  readonly command: readonly string[];
  readonly streams: ExecStreams;
  readonly run: (streams: ExecStreams) => Promise<CommandStatus>;
  /** The kubelet function that runs the command. */
  readonly work: Work;
}

/** Records a command in a container as a step, from start to end, with the bytes transferred and its exit. */
export function observedStreams(observed: ObservedStreams): Promise<CommandStatus> {
  const { observer, operation, command, streams, run, work } = observed;
  if (observer === undefined) return run(streams);
  const bytes: Record<string, number> = {};
  const counted = countedStreams(streams, (stream, count) => (bytes[stream] = (bytes[stream] ?? 0) + count));
  const reported = command.length === 0 ? {} : { command };
  return runStep(
    observer,
    `stream/${operation}`,
    async () => {
      const status = await run(counted);
      observer.note?.({ bytes, ended: status });
      return status;
    },
    reported,
    work,
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
