import { bool, string } from '@coxswain/cobra';
import { command, usageError } from '../command.ts';
import { completePods } from '../completion/pods.ts';
import { podRunningTimeoutFlag, runningTimeoutProblem } from '../flags/pod-running-timeout.ts';
import { attachTo } from '../streams/attach-session.ts';
import { hasEnded, podFor } from '../streams/attachable-pod.ts';

export const attach = command({
  use: 'attach (POD | TYPE/NAME) -c CONTAINER',
  long: 'Attach to a process that is already running in a container.',
  example: `  # See what the process of a pod prints
  kubectl attach web

  # Talk to it
  kubectl attach web -c main -i -t

  # The first pod of a replica set
  kubectl attach rs/web`,
  disableFlagsInUseLine: true,
  complete: completePods,
  flags: {
    ...podRunningTimeoutFlag(),
    container: string({
      shorthand: 'c',
      usage: 'The name of the container. Defaults to the default container of the pod, or the first one.',
    }),
    stdin: bool({ shorthand: 'i', usage: 'Pass standard input to the container.' }),
    tty: bool({ shorthand: 't', usage: 'Standard input is a TTY.' }),
    quiet: bool({ shorthand: 'q', usage: 'Print only the output of the remote session.' }),
    detachKeys: string({
      default: 'ctrl-p,ctrl-q',
      usage: 'The key sequence that detaches from the container.',
    }),
  },
  async run(invocation) {
    const { context, args, flags: given } = invocation;
    const problem = runningTimeoutProblem(given);
    if (problem !== undefined) throw usageError(invocation, problem);
    if (args.length === 0) throw new Error('at least 1 argument is required for attach');
    if (args.length > 2)
      throw new Error(
        `expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw ${args.length}: [${args.join(' ')}]`,
      );
    const { pod } = await podFor(context, {
      args,
      timeoutMs: given.podRunningTimeout,
      action: 'attach to',
    });
    if (hasEnded(pod))
      throw new Error(`cannot attach a container in a completed pod; current phase is ${pod.status?.phase}`);
    await attachTo(context, pod, given);
  },
});
