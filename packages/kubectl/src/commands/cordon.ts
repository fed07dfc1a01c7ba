import { command, usageError, type Invocation } from '../command.ts';
import { completeNames } from '../completion/resources.ts';
import type { CommandContext } from '../context.ts';
import { readDryRun } from '../flags/dry-run.ts';
import { dryRunFlag, selectorFlag } from '../flags/object-flags.ts';
import { setUnschedulable, selectNodes } from '../nodes/cordon.ts';

const cordonFlags = { ...dryRunFlag, ...selectorFlag };

async function run(
  invocation: Invocation<CommandContext, typeof cordonFlags>,
  unschedulable: boolean,
): Promise<void> {
  const { context, args, flags } = invocation;
  const dryRun = readDryRun(context, flags.dryRun);
  if (args.length === 0 && !invocation.changed('selector')) {
    throw usageError(invocation, `USAGE: ${invocation.node.command.use} [flags]`);
  }
  if (args.length > 0 && flags.selector !== '') {
    throw usageError(invocation, 'error: cannot specify both a node name and a --selector option');
  }
  const nodes = await selectNodes(context, args, flags.selector);
  for (const info of nodes) context.print(await setUnschedulable(context, info, unschedulable, dryRun));
}

export const cordon = command({
  use: 'cordon NODE',
  long: 'Mark a node as unschedulable. It keeps its pods but gets no new ones.',
  example: `  # Keep new pods from a node
  kubectl cordon node-1`,
  disableFlagsInUseLine: true,
  complete: completeNames('node'),
  flags: cordonFlags,
  run: (invocation) => run(invocation, true),
});

export const uncordon = command({
  use: 'uncordon NODE',
  long: 'Mark a node as schedulable again.',
  example: `  # Let a node take pods again
  kubectl uncordon node-1`,
  disableFlagsInUseLine: true,
  complete: completeNames('node'),
  flags: cordonFlags,
  run: (invocation) => run(invocation, false),
});
