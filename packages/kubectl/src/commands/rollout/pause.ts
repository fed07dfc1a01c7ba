import type * as apps from '@coxswain/api/apps/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import { command } from '../../command.ts';
import { typesAndNames } from '../../completion/resources.ts';
import { changeFlags, changeWorkloads } from './workloads.ts';

type Deployment = Live<apps.Deployment>;

export const pause = command({
  use: 'pause RESOURCE',
  long: `Pause the rollout of a deployment. Changes to its template create no new pods until it is resumed.

 Only deployments can be paused.`,
  example: `  # Hold it
  kubectl rollout pause deployment/web`,
  disableFlagsInUseLine: true,
  complete: typesAndNames({ types: ['deployment'] }),
  flags: changeFlags('that name the deployments to pause'),
  async run({ context, args, flags }) {
    await changeWorkloads(context, args, flags, 'paused', (_info, object) => {
      if (object.kind !== 'Deployment') throw new Error('pausing is not supported');
      if ((object as Deployment).spec?.paused) throw new Error('is already paused');
      return { spec: { paused: true } };
    });
  },
});

export const resume = command({
  use: 'resume RESOURCE',
  long: 'Resume a paused deployment and roll out its current template. Only deployments can be resumed.',
  example: `  # Go on
  kubectl rollout resume deployment/web`,
  disableFlagsInUseLine: true,
  complete: typesAndNames({ types: ['deployment'] }),
  flags: changeFlags('that name the deployments to resume'),
  async run({ context, args, flags }) {
    await changeWorkloads(context, args, flags, 'resumed', (_info, object) => {
      if (object.kind !== 'Deployment') throw new Error('resuming is not supported');
      if (!(object as Deployment).spec?.paused) throw new Error('is not paused');
      return { spec: { paused: null } };
    });
  },
});
