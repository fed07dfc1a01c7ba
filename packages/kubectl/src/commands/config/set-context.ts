import { bool, string } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { completeClusters, completeContexts, completeUsers } from '../../completion/global.ts';
import { KubeconfigStore } from '../../kubeconfig/stored.ts';
import { refuseArguments } from './refuse-arguments.ts';

export const setContext = command({
  use: 'set-context [NAME | --current] [--cluster=cluster_nickname] [--user=user_nickname] [--namespace=namespace]',
  long: 'Set a context. If the context exists, values that are not given remain unchanged.',
  example: `  # Another user, nothing else
  kubectl config set-context gce --user=cluster-admin`,
  disableFlagsInUseLine: true,
  complete: completeContexts,
  flags: {
    cluster: string({ usage: 'Cluster of the context', complete: completeClusters }),
    current: bool({ usage: 'Modify the current context' }),
    namespace: string({ shorthand: 'n', usage: 'Namespace of the context' }),
    user: string({ usage: 'User of the context', complete: completeUsers }),
  },
  async run(invocation) {
    const { context, args, flags, changed } = invocation;
    if (args.length > 1) return refuseArguments(invocation);
    if (flags.current && args.length === 1)
      throw new Error('you cannot specify both a context name and --current');
    if (!flags.current && !args[0]) throw new Error('you must specify a non-empty context name or --current');
    const store = new KubeconfigStore(context);
    const name = flags.current ? store.config.currentContext : (args[0] as string);
    if (name === '') throw new Error('no current context is set');
    const before = store.config.contexts.get(name);
    const value = { ...before?.value };
    for (const member of ['cluster', 'user', 'namespace'] as const)
      if (changed(member)) value[member] = flags[member];
    store.config.contexts.set(name, { file: before?.file, value });
    store.save();
    context.print(`Context "${name}" ${before === undefined ? 'created' : 'modified'}.\n`);
  },
});
