import { command, usageError } from '../../command.ts';
import { completeClusters, completeContexts, completeUsers } from '../../completion/global.ts';
import { KubeconfigStore } from '../../kubeconfig/stored.ts';

const deletion = (
  what: 'cluster' | 'context' | 'user',
  section: 'clusters' | 'contexts' | 'users',
  complete: typeof completeClusters,
) =>
  command({
    use: `delete-${what} NAME`,
    long: `Remove a ${what} from the kubeconfig.`,
    example: `  # Remove the ${what} minikube
  kubectl config delete-${what} minikube`,
    disableFlagsInUseLine: true,
    complete,
    async run(invocation) {
      const { context, args } = invocation;
      const [name] = args;
      if (args.length !== 1 || name === undefined) {
        if (what === 'user') throw usageError(invocation, 'user to delete is required');
        return context.print(await invocation.help());
      }
      const store = new KubeconfigStore(context);
      if (!store.config[section].delete(name))
        throw new Error(`cannot delete ${what} ${name}, not in ${store.shownFile}`);
      if (section === 'contexts' && store.config.currentContext === name) {
        context.printError(
          'warning: this removed your active context, use "kubectl config use-context" to select a different one\n',
        );
      }
      store.save();
      context.print(`deleted ${what} ${name} from ${store.shownFile}\n`);
    },
  });

export const deleteCluster = deletion('cluster', 'clusters', completeClusters);
export const deleteContext = deletion('context', 'contexts', completeContexts);
export const deleteUser = deletion('user', 'users', completeUsers);
