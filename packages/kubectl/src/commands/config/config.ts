import { lazy, string } from '@coxswain/cobra';
import { command, showHelpOnErrorOrRefuse } from '../../command.ts';

export const config = command({
  use: 'config SUBCOMMAND',
  long: `Change kubeconfig files.

 Which files: that of --kubeconfig; else those of $KUBECONFIG, where an entry is changed in the file it is in and new ones go to the first file that exists; else ~/.kube/config.`,
  disableFlagsInUseLine: true,
  persistentFlags: { kubeconfig: string({ usage: 'Only this kubeconfig file' }) },
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
    lazy({ name: 'set', short: 'Set one value', load: async () => (await import('./set.ts')).set }),
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
    lazy({ name: 'unset', short: 'Remove one value', load: async () => (await import('./set.ts')).unset }),
    lazy({
      name: 'use-context',
      aliases: ['use'],
      short: 'Choose the current context',
      load: async () => (await import('./use-context.ts')).useContext,
    }),
    lazy({
      name: 'view',
      short: 'Print the merged configuration',
      load: async () => (await import('./view.ts')).view,
    }),
  ],
});
