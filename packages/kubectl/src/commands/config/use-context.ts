import { command } from '../../command.ts';
import { completeContexts } from '../../completion/global.ts';
import { KubeconfigStore } from '../../kubeconfig/stored.ts';
import { refuseArguments } from './refuse-arguments.ts';

export const useContext = command({
  use: 'use-context CONTEXT_NAME',
  aliases: ['use'],
  long: 'Set the current context.',
  example: `  # From now on minikube
  kubectl config use-context minikube`,
  disableFlagsInUseLine: true,
  complete: completeContexts,
  async run(invocation) {
    const { context, args } = invocation;
    const [name] = args;
    if (args.length !== 1 || name === undefined) return refuseArguments(invocation);
    if (name === '') throw new Error('empty context names are not allowed');
    const store = new KubeconfigStore(context);
    if (!store.config.contexts.has(name)) throw new Error(`no context exists with the name: "${name}"`);
    store.config.currentContext = name;
    store.save();
    context.print(`Switched to context "${name}".\n`);
  },
});
