import { command } from '../../command.ts';
import { KubeconfigStore } from '../../kubeconfig/stored.ts';

const listing = (section: 'clusters' | 'users') =>
  command({
    use: `get-${section}`,
    long: `Print the names of the ${section} of the kubeconfig.`,
    example: `  # All ${section}
  kubectl config get-${section}`,
    disableFlagsInUseLine: true,
    run({ context }) {
      const names = [...new KubeconfigStore(context).config[section].keys()].sort();
      context.print(['NAME', ...names].map((name) => `${name}\n`).join(''));
    },
  });

export const getClusters = listing('clusters');
export const getUsers = listing('users');
