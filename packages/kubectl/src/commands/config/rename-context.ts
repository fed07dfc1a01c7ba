import { command } from '../../command.ts';
import { completeContexts } from '../../completion/global.ts';
import { KubeconfigStore } from '../../kubeconfig/stored.ts';
import { refuseArguments } from './refuse-arguments.ts';

export const renameContext = command({
  use: 'rename-context CONTEXT_NAME NEW_NAME',
  long: 'Rename a context. If it is the current context, it remains the current one.',
  example: `  # From old to new
  kubectl config rename-context old new`,
  disableFlagsInUseLine: true,
  complete: completeContexts,
  async run(invocation) {
    const { context, args } = invocation;
    const [from, to] = args;
    if (args.length !== 2 || from === undefined || to === undefined) return refuseArguments(invocation);
    if (to === '') throw new Error('You must specify a new non-empty context name');
    const store = new KubeconfigStore(context);
    const { contexts, currentContext } = store.config;
    const entry = contexts.get(from);
    if (entry === undefined)
      throw new Error(`cannot rename the context "${from}", it's not in ${store.shownFile}`);
    if (contexts.has(to)) {
      throw new Error(
        `cannot rename the context "${from}", the context "${to}" already exists in ${store.shownFile}`,
      );
    }
    contexts.delete(from);
    contexts.set(to, entry);
    if (currentContext === from) store.config.currentContext = to;
    store.save();
    context.print(`Context "${from}" renamed to "${to}".\n`);
  },
});
