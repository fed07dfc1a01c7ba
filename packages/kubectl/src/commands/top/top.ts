import { lazy } from '@coxswain/cobra';
import { command, showHelpOnErrorOrRefuse } from '../../command.ts';

export const top = command({
  use: 'top',
  long: `Show the CPU and memory usage of nodes and pods.

 The figures come from the metrics API (metrics.k8s.io), which is intended for autoscalers.`,
  run: showHelpOnErrorOrRefuse,
  commands: [
    lazy({
      name: 'node',
      aliases: ['nodes', 'no'],
      short: 'Show the CPU and memory usage of nodes',
      load: async () => (await import('./node.ts')).node,
    }),
    lazy({
      name: 'pod',
      aliases: ['pods', 'po'],
      short: 'Show the CPU and memory usage of pods',
      load: async () => (await import('./pod.ts')).pod,
    }),
  ],
});
