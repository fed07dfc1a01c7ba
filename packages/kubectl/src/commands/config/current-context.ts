import { command } from '../../command.ts';
import { KubeconfigStore } from '../../kubeconfig/stored.ts';

export const currentContext = command({
  use: 'current-context',
  long: 'Print the current context.',
  example: `  # Which one is it?
  kubectl config current-context`,
  disableFlagsInUseLine: true,
  run({ context }) {
    const { config } = new KubeconfigStore(context);
    if (config.currentContext === '') throw new Error('current-context is not set');
    context.print(`${config.currentContext}\n`);
  },
});
