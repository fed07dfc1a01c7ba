import { lazy } from '@coxswain/cobra';
import { command, showHelpOnErrorOrRefuse } from '../../command.ts';

export const top = command({
  use: 'top',
  long: `Show how much processor time and memory nodes and pods use.

 The numbers are those of the metrics API (metrics.k8s.io), by which autoscalers decide.`,
  run: showHelpOnErrorOrRefuse,
  commands: [
    lazy({
      name: 'node',
      aliases: ['nodes', 'no'],
      short: 'Show what nodes use',
      load: async () => (await import('./node.ts')).node,
    }),
    lazy({
      name: 'pod',
      aliases: ['pods', 'po'],
      short: 'Show what pods use',
      load: async () => (await import('./pod.ts')).pod,
    }),
  ],
});
