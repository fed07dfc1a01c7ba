import { lazy } from '@coxswain/cobra';
import { command, showHelpOnErrorOrRefuse } from '../../command.ts';

export const kuberc = command({
  use: 'kuberc SUBCOMMAND',
  long: `Look at the preferences of kubectl, and change them.

 They are defaults of options, aliases of commands, and which programs may be asked for credentials.`,
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
