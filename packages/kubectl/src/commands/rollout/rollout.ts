import { lazy } from '@coxswain/cobra';
import { command, showHelpOrRefuse } from '../../command.ts';

export const rollout = command({
  use: 'rollout SUBCOMMAND',
  long: 'Watch, undo, pause and restart the rollout of deployments, daemon sets and stateful sets.',
  example: `  # Go back to what was there before
  kubectl rollout undo deployment/web

  # Wait until the new pods are there
  kubectl rollout status daemonset/agent

  # New pods of the same template
  kubectl rollout restart deployment/web`,
  disableFlagsInUseLine: true,
  run: showHelpOrRefuse,
  commands: [
    lazy({
      name: 'history',
      short: 'View the rollout history of a workload',
      load: async () => (await import('./history.ts')).history,
    }),
    lazy({
      name: 'pause',
      short: 'Pause the rollout of a deployment',
      load: async () => (await import('./pause.ts')).pause,
    }),
    lazy({
      name: 'restart',
      short: 'Restart a workload',
      load: async () => (await import('./restart.ts')).restart,
    }),
    lazy({
      name: 'resume',
      short: 'Resume a paused deployment',
      load: async () => (await import('./pause.ts')).resume,
    }),
    lazy({
      name: 'status',
      short: 'Show the status of a rollout',
      load: async () => (await import('./status.ts')).status,
    }),
    lazy({
      name: 'undo',
      short: 'Undo a previous rollout',
      load: async () => (await import('./undo.ts')).undo,
    }),
  ],
});
