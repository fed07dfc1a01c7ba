import { bool, string, stringSlice } from '@coxswain/cobra';
import { command, usageError } from '../command.ts';
import { completeContainers, completePods } from '../completion/pods.ts';
import { podRunningTimeoutFlag, runningTimeoutProblem } from '../flags/pod-running-timeout.ts';
import { chooseSessionContainer } from '../logs/containers.ts';
import { hasEnded, podFor } from '../streams/attachable-pod.ts';
import { withLocalStreams } from '../streams/local-streams.ts';
import { streamCommand } from '../streams/remote-command.ts';

export const exec = command({
  use: 'exec (POD | TYPE/NAME) [-c CONTAINER] [flags] -- COMMAND [args...]',
  long: 'Run a command in a container.',
  example: `  # In the first container of a pod
  kubectl exec web -- date

  # A shell in a container of its own name
  kubectl exec web -c main -i -t -- sh

  # In the first pod of a deployment
  kubectl exec deployment/web -- ls /tmp`,
  disableFlagsInUseLine: true,
  complete: completePods,
  flags: {
    ...podRunningTimeoutFlag(),
    filename: stringSlice({ shorthand: 'f', usage: 'Files that identify the object.' }),
    container: string({
      shorthand: 'c',
      usage: 'The name of the container. Defaults to the default container of the pod, or the first one.',
      complete: completeContainers,
    }),
    stdin: bool({ shorthand: 'i', usage: 'Pass standard input to the container.' }),
    tty: bool({ shorthand: 't', usage: 'Standard input is a TTY.' }),
    quiet: bool({ shorthand: 'q', usage: 'Print only the output of the remote session.' }),
  },
  async run(invocation) {
    const { context, args, flags: given, argsLengthAtDash: dash } = invocation;
    const names = args.length > 0 && dash !== 0 ? args.slice(0, 1) : [];
    if (dash < 0 && (args.length > 1 || (args.length > 0 && given.filename.length > 0)))
      throw usageError(
        invocation,
        'exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead',
      );
    const problem = runningTimeoutProblem(given);
    if (problem !== undefined) throw usageError(invocation, problem);
    const words = dash < 0 ? [] : args.slice(dash);
    if ((names[0] ?? '') === '' && given.filename.length === 0)
      throw new Error('pod, type/name or --filename must be specified');
    if (words.length === 0) throw new Error('you must specify at least one command for the container');
    const { pod } = await podFor(context, {
      args: names,
      filenames: given.filename,
      timeoutMs: given.podRunningTimeout,
      action: 'exec into',
    });
    if (hasEnded(pod))
      throw new Error(
        `cannot exec into a container in a completed pod; current phase is ${pod.status?.phase}`,
      );
    const report = (text: string) => (given.quiet ? undefined : context.printError(text));
    const container = chooseSessionContainer(pod, given.container, report);
    await withLocalStreams(context, given, (streams) =>
      streamCommand(context, {
        ...streams,
        operation: 'exec',
        namespace: pod.metadata.namespace ?? '',
        pod: pod.metadata.name ?? '',
        container,
        command: words,
      }),
    );
  },
});
