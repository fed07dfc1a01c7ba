import { lazy, string } from '@coxswain/cobra';
import { command, showHelpOnErrorOrRefuse } from '../../command.ts';

export const config = command({
  use: 'config SUBCOMMAND',
  long: `Change kubeconfig files.

 The files are chosen in this order: the file given by --kubeconfig; the files in $KUBECONFIG, where an entry is changed in the file that contains it and new entries go to the first file that exists; ~/.kube/config.`,
  disableFlagsInUseLine: true,
  persistentFlags: { kubeconfig: string({ usage: 'Use this kubeconfig file only' }) },
  run: showHelpOnErrorOrRefuse,
  commands: [
    lazy({
      name: 'current-context',
      short: 'Print the current context',
      load: async () => (await import('./current-context.ts')).currentContext,
    }),
    lazy({
      name: 'delete-cluster',
      short: 'Remove a cluster',
      load: async () => (await import('./delete.ts')).deleteCluster,
    }),
    lazy({
      name: 'delete-context',
      short: 'Remove a context',
      load: async () => (await import('./delete.ts')).deleteContext,
    }),
    lazy({
      name: 'delete-user',
      short: 'Remove a user',
      load: async () => (await import('./delete.ts')).deleteUser,
    }),
    lazy({
      name: 'get-clusters',
      short: 'Print the names of the clusters',
      load: async () => (await import('./names.ts')).getClusters,
    }),
    lazy({
      name: 'get-contexts',
      short: 'Print the contexts',
      load: async () => (await import('./get-contexts.ts')).getContexts,
    }),
    lazy({
      name: 'get-users',
      short: 'Print the names of the users',
      load: async () => (await import('./names.ts')).getUsers,
    }),
    lazy({
      name: 'rename-context',
      short: 'Rename a context',
      load: async () => (await import('./rename-context.ts')).renameContext,
    }),
    lazy({
      name: 'set',
      short: 'Set a single value in the kubeconfig',
      load: async () => (await import('./set.ts')).set,
    }),
    lazy({
      name: 'set-cluster',
      short: 'Set a cluster',
      load: async () => (await import('./set-cluster.ts')).setCluster,
    }),
    lazy({
      name: 'set-context',
      short: 'Set a context',
      load: async () => (await import('./set-context.ts')).setContext,
    }),
    lazy({
      name: 'set-credentials',
      short: 'Set a user',
      load: async () => (await import('./set-credentials.ts')).setCredentials,
    }),
    lazy({
      name: 'unset',
      short: 'Remove a single value from the kubeconfig',
      load: async () => (await import('./set.ts')).unset,
    }),
    lazy({
      name: 'use-context',
      aliases: ['use'],
      short: 'Set the current context',
      load: async () => (await import('./use-context.ts')).useContext,
    }),
    lazy({
      name: 'view',
      short: 'Print the merged configuration',
      load: async () => (await import('./view.ts')).view,
    }),
  ],
});
