import type { Command, CommandIo, Invocation, Step, CommandNode } from './command/command.ts';
import { childrenOf, enter, rootNode } from './command/command-node.ts';
import { completionCommand, completionRequests } from './completion/complete.ts';
import { findCommand, type Found } from './command/find.ts';
import { checkFlagGroups, checkRequiredFlags } from './command/flag-groups.ts';
import { helpCommand } from './help/help-command.ts';
import { helpText } from './help/help-text.ts';
import { nearest, parse } from './invocation.ts';

/**
 * Runs the command that the command line calls: finds it, parses and checks its options, and calls the five hooks in
 * cobra's order. Help goes to `io.out`.
 * @throws an error about the command line (with the messages of cobra and pflag) or the error of a hook
 */
export async function execute<C>(
  root: Command<C>,
  args: readonly string[],
  io: CommandIo,
  context: C,
): Promise<void> {
  const node = rootNode(withBuiltIns(root, args));
  const step = io.step ?? plainCall;
  const found = await step('find-command', () => findCommand(node, args), findCommand);
  await call(found, io, context, step);
}

const plainCall: Step = (_name, body) => body();

/** Every program has the commands `help` and `__complete`. */
function withBuiltIns<C>(root: Command<C>, args: readonly string[]): Command<C> {
  const commands = root.commands ?? [];
  const complete = args.some((word) => completionRequests.includes(word)) ? [completionCommand<C>(root)] : [];
  const help =
    commands.length > 0 && !commands.some((entry) => nameIs(entry, 'help')) ? [helpCommand<C>()] : [];
  return complete.length + help.length === 0
    ? root
    : { ...root, commands: [...commands, ...help, ...complete] };
}

const nameIs = (entry: NonNullable<Command<never>['commands']>[number], name: string): boolean =>
  (entry.kind === 'lazy' ? entry.name : entry.use.split(' ')[0]) === name;

async function call<C>({ node, args }: Found<C>, io: CommandIo, context: C, step: Step): Promise<void> {
  const { command } = node;
  if (command.deprecated !== undefined) {
    io.err.write(`Command "${node.name}" is deprecated, ${command.deprecated}\n`);
  }
  const invocation = step('parse-flags', () => parse(node, args, io, context), parse);
  if (node.flags.lookup('help')?.value === true) return showHelp(node, io);
  if (command.version !== undefined && node.flags.lookup('version')?.value === true) {
    io.out.write(`${node.name} version ${command.version}\n`);
    return;
  }
  const { args: checkArguments } = command;
  if (checkArguments !== undefined)
    step(
      'check-arguments',
      () => checkArguments(node as CommandNode<never>, invocation.args),
      checkArguments,
    );
  if (command.run === undefined) return showHelp(node, io);
  await runHooks(node, invocation, step);
}

const showHelp = async <C>(node: CommandNode<C>, io: CommandIo): Promise<void> =>
  void io.out.write(await helpText(node, io.columns));

async function runHooks<C>(node: CommandNode<C>, invocation: Invocation<C>, step: Step): Promise<void> {
  const { command } = node;
  const hook = async (name: string, work: Command<C>['run']): Promise<void> => {
    if (work !== undefined) await step(name, () => work.call(command, invocation), work);
  };
  await hook('persistent-pre-run', nearest(node, 'persistentPreRun'));
  await hook('pre-run', command.preRun);
  step('check-flags', () => checkFlags(node), checkFlags);
  await hook('run', command.run);
  await hook('post-run', command.postRun);
  await hook('persistent-post-run', nearest(node, 'persistentPostRun'));
}

function checkFlags<C>({ flags, command }: CommandNode<C>): void {
  checkRequiredFlags(flags);
  checkFlagGroups(flags, command.flagGroups);
}

/** The nodes below `node`, loaded, for documentation and for tests that inspect a whole tree. */
export async function loadChildren<C>(node: CommandNode<C>): Promise<CommandNode<C>[]> {
  return Promise.all(childrenOf(node).map((child) => enter(node, child, '')));
}
