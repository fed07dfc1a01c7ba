import type * as apps from '@coxswain/api/apps/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import { command } from '../../command.ts';
import { typesAndNames } from '../../completion/resources.ts';
import { changeFlags, changeWorkloads } from './workloads.ts';

const restartedAt = 'kubectl.kubernetes.io/restartedAt';

/** Any kind with rollouts: the fields used are those of a Deployment. */
type Workload = Live<apps.Deployment>;

export const restart = command({
  use: 'restart RESOURCE',
  long: 'Restart deployments, daemon sets and stateful sets by replacing all of their pods in a rollout.',
  example: `  # One deployment
  kubectl rollout restart deployment/web

  # All with a label
  kubectl rollout restart deployment --selector=app=web`,
  disableFlagsInUseLine: true,
  complete: typesAndNames({ types: ['deployment', 'daemonset', 'statefulset'] }),
  flags: changeFlags('that name the workloads to restart'),
  async run({ context, args, flags }) {
    const now = `${new Date(context.clock.now()).toISOString().slice(0, 19)}Z`;
    await changeWorkloads(context, args, flags, 'restarted', (_info, object) => {
      if (!['Deployment', 'DaemonSet', 'StatefulSet'].includes(object.kind ?? ''))
        throw new Error('restarting is not supported');
      const { spec } = object as Workload;
      if (spec?.paused) throw new Error("can't restart paused deployment (run rollout resume first)");
      if (spec?.template?.metadata?.annotations?.[restartedAt] === now) return undefined;
      return { spec: { template: { metadata: { annotations: { [restartedAt]: now } } } } };
    });
  },
});
