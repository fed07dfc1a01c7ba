import { bool, duration, string } from '@coxswain/cobra';
import { command } from '../command.ts';
import { completePods } from '../completion/pods.ts';
import { attachTo } from '../streams/attach-session.ts';
import { hasEnded, podFor } from '../streams/attachable-pod.ts';

export const attach = command({
  use: 'attach (POD | TYPE/NAME) -c CONTAINER',
  long: 'Join a process that runs in a container already.',
  example: `  # See what the process of a pod prints
  kubectl attach web

  # Talk to it
  kubectl attach web -c main -i -t

  # The first pod of a replica set
  kubectl attach rs/web`,
  disableFlagsInUseLine: true,
  complete: completePods,
  flags: {
    podRunningTimeout: duration({ default: 60_000, usage: 'How long to wait until a pod runs.' }),
    container: string({ shorthand: 'c', usage: 'The container; the default or first one if not given.' }),
    stdin: bool({ shorthand: 'i', usage: 'Pass standard input on.' }),
    tty: bool({ shorthand: 't', usage: 'Standard input is a terminal.' }),
    quiet: bool({ shorthand: 'q', usage: 'Only what the session itself prints.' }),
    detachKeys: string({ default: 'ctrl-p,ctrl-q', usage: 'The keys that leave the session.' }),
  },
  async run({ context, args, flags: given }) {
    if (args.length === 0) throw new Error('at least 1 argument is required for attach');
    if (args.length > 2)
      throw new Error(
        `expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw ${args.length}: [${args.join(' ')}]`,
      );
    if (given.podRunningTimeout <= 0) throw new Error('--pod-running-timeout must be higher than zero');
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
