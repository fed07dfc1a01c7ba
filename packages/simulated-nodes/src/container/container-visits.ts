/** People and programs that look into a simulated container while it runs. */
import type { Clock } from '@coxswain/apimachinery';
import type { ExecStreams } from '@coxswain/kubelet/connection.ts';
import { RuntimeFailure } from '@coxswain/kubelet/runtime.ts';
import { attachableProgram, recorded } from './conversation.ts';
import type { ContainerWorld } from '../process/container-world.ts';
import { execute } from '../process/execute.ts';
import type { SimulatedContainer } from './simulated-container.ts';

/** @throws RuntimeFailure when there is no such program */
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
  /** Keeps a line for the container's log. */
  readonly wrote: (text: string) => void;
  /** What the container writes from now on. */
  readonly log: (signal: AbortSignal | undefined) => AsyncIterable<Uint8Array>;
}

/** Resolves with the code that the container ends with; undefined when it goes on. */
export async function attachTo(
  container: SimulatedContainer,
  streams: ExecStreams,
  { clock, world, wrote, log }: AttachParts,
): Promise<number | undefined> {
  const program = container.isAttached ? undefined : attachableProgram(container.spec);
  if (program === undefined || streams.stdin === undefined) {
    for await (const chunk of log(streams.signal)) await streams.stdout?.(chunk);
    return undefined;
  }
  container.isAttached = true;
  const code = await execute(await world(), program, recorded(streams, wrote), clock);
  container.isAttached = false;
  // Whoever leaves a shell that is to outlive its first visitor finds it there again.
  return !streams.signal?.aborted || container.spec.stdinOnce ? code : undefined;
}
