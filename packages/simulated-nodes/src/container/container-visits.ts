/** Exec and attach sessions in a simulated container. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import type { Clock } from '@coxswain/apimachinery';
import type { ExecStreams } from '@coxswain/kubelet/connection.ts';
import { RuntimeFailure } from '@coxswain/kubelet/runtime.ts';
import { attachableProgram, recorded } from './conversation.ts';
import type { ContainerWorld } from '../process/container-world.ts';
import { execute, executeMain } from '../process/execute.ts';
import type { Pipe } from '../process/pipe.ts';
import type { SimulatedContainer } from './simulated-container.ts';

/** @throws RuntimeFailure if there is no such program */
export async function execIn(
  world: ContainerWorld,
  command: readonly string[],
  streams: ExecStreams,
  clock: Clock,
  newId: () => string,
): Promise<number> {
  try {
    return await execute(world, command, streams, clock);
  } catch (failure) {
    if (!(failure instanceof RuntimeFailure)) throw failure;
    const { code, message } = failure;
    throw new RuntimeFailure(
      code,
      `failed to exec in container: failed to start exec "${newId()}": ${message}`,
    );
  }
}

export interface AttachParts {
  readonly clock: Clock;
  readonly world: () => Promise<ContainerWorld>;
  /** Appends a line to the container's log. */
  readonly wrote: (text: string) => void;
  /** Output of the container from now on. */
  readonly log: (signal: AbortSignal | undefined) => AsyncIterable<Uint8Array>;
}

/** Resolves with the exit code of the container; undefined if the container keeps running. */
export async function attachTo(
  container: SimulatedContainer,
  streams: ExecStreams,
  { clock, world, wrote, log }: AttachParts,
): Promise<number | undefined> {
  const { input, spec } = container;
  if (input !== undefined && streams.stdin !== undefined) {
    detach(feed(input, streams.stdin, spec.stdinOnce === true));
    for await (const chunk of log(streams.signal)) await streams.stdout?.(chunk);
    return undefined;
  }
  const program = container.isAttached || input !== undefined ? undefined : attachableProgram(spec);
  if (program === undefined || streams.stdin === undefined) {
    for await (const chunk of log(streams.signal)) await streams.stdout?.(chunk);
    return undefined;
  }
  container.isAttached = true;
  const code = await executeMain(await world(), program, recorded(streams, wrote), clock);
  container.isAttached = false;
  // A shell that outlives its first session is found again by the next one.
  return !streams.signal?.aborted || container.spec.stdinOnce ? code : undefined;
}

async function feed(input: Pipe, stdin: NonNullable<ExecStreams['stdin']>, isOnly: boolean): Promise<void> {
  for await (const chunk of stdin) await input.output(chunk);
  if (isOnly) input.end();
}
