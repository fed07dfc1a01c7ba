import type { Clock } from '@coxswain/apimachinery';
import type { LifecycleHandler } from '@coxswain/api/core/v1/probe.ts';
import { RuntimeFailure } from '@coxswain/kubelet/runtime.ts';
import { runCommand } from '../behaviour/commands.ts';
import type { ContainerWorld } from '../process/container-world.ts';
import { execute } from '../process/execute.ts';

/**
 * Runs a hook of a simulated container. A command acts on the container's files; it fails only if failure is certain
 * (`false`, `exit 3`), since most programs of real images are not available. HTTP requests always succeed.
 * @throws RuntimeFailure if a command ends with an exit code other than 0
 */
export async function simulateHook(
  handler: LifecycleHandler,
  world: () => Promise<ContainerWorld>,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<void> {
  const command = handler.exec?.command;
  if (command === undefined) return;
  const expected = runCommand(command);
  try {
    const streams = signal === undefined ? {} : { signal };
    await execute(await world(), command, streams, clock);
  } catch (failure) {
    if (!(failure instanceof RuntimeFailure)) throw failure;
    await clock.sleep(expected?.afterMs ?? 0, signal);
  }
  if (expected !== undefined && expected.exitCode !== 0)
    throw new RuntimeFailure(
      'ExecError',
      `command '${command.join(' ')}' exited with ${expected.exitCode}: `,
    );
}
