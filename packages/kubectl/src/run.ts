import { runStep, type StepObserver } from '@coxswain/apimachinery';
import { execute, type Command, type Step } from '@coxswain/cobra';
import { completionRequests } from '@coxswain/cobra/completion/complete.ts';
import { explainFailure } from './check-error.ts';
import { CommandContext } from './context.ts';
import type { KubectlIo } from './io.ts';
import { prepareCommandLine } from './kuberc/prepare.ts';
import { PartialOutput } from './printers/partial-output.ts';
import { rootCommand } from './root.ts';

/**
 * Runs one kubectl command line, without the program's name, and returns its exit code. All input and output goes
 * through `io`, so that a test or a trace can run it in its own process.
 */
export async function runKubectl(args: readonly string[], io: KubectlIo): Promise<number> {
  const context = new CommandContext(io, async (opened) => {
    const { connect } = await import('./connection/connection.ts');
    return connect(opened);
  });
  try {
    const line = await prepareCommandLine(await rootOf(args, io), args, io);
    const plugin = line.isAlias ? undefined : await runPluginInstead(args, io);
    if (plugin !== undefined) return plugin;
    context.pluginPolicy = line.pluginPolicy;
    context.words = args;
    const { observer } = io;
    const streams = {
      out: io.out,
      err: io.err,
      ...(io.columns === undefined ? {} : { columns: io.columns }),
      ...(observer && { step: stepsOf(observer) }),
    };
    await execute(line.root, line.args, streams, context);
    return 0;
  } catch (failure) {
    if (failure instanceof PartialOutput) context.print(failure.written);
    context.logFailure(failure);
    const { code, message } = explainFailure(failure);
    context.printError(message);
    await hint(context, failure);
    return code;
  } finally {
    await context.close();
  }
}

/** Assigns each stage of a command line to the code that does its work. */
const stepsOf =
  (observer: StepObserver): Step =>
  (name, body, work) =>
    runStep(observer, name, body, undefined, work ?? body);

/** For completion requests, plugins are included as commands. */
async function rootOf(args: readonly string[], io: KubectlIo): Promise<Command<CommandContext>> {
  const root = rootCommand(io.env);
  if (!completionRequests.includes(args[0] ?? '')) return root;
  const { withPlugins } = await import('./plugin-completion.ts');
  return withPlugins(root, args.slice(1), io);
}

/** Prints a hint, if enabled. */
async function hint(context: CommandContext, failure: unknown): Promise<void> {
  if (!context.rich.hints) return;
  const { hintFor } = await import('./terminal/hints.ts');
  const text = hintFor(failure);
  if (text !== undefined) context.printError(`hint: ${text}\n`);
}

/** An unknown command may be a plugin: `kubectl foo bar` is `kubectl-foo-bar` or `kubectl-foo bar`. */
async function runPluginInstead(args: readonly string[], io: KubectlIo): Promise<number | undefined> {
  const { pluginCandidate } = await import('./plugin-candidate.ts');
  if (!(await pluginCandidate(args))) return undefined;
  const { runPlugin } = await import('./plugins/run.ts');
  return runPlugin(args, io);
}
