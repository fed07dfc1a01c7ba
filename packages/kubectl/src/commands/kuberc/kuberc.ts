import { lazy } from '@coxswain/cobra';
import { command, showHelpOnErrorOrRefuse } from '../../command.ts';

export const kuberc = command({
  use: 'kuberc SUBCOMMAND',
  long: `View and change the preferences of kubectl.

 They consist of default values for flags, command aliases, and the policy for credential plugins.`,
  example: `  # What they are
  kubectl kuberc view

  # A default for an option
  kubectl kuberc set --section=defaults --command=get --option=output=wide`,
  disableFlagsInUseLine: true,
  run: showHelpOnErrorOrRefuse,
  commands: [
    lazy({
      name: 'set',
      short: 'Change the preferences',
      load: async () => (await import('./set.ts')).set,
    }),
    lazy({
      name: 'view',
      short: 'Show the preferences',
      load: async () => (await import('./view.ts')).view,
    }),
  ],
});
