import { string } from '@coxswain/cobra';
import { command, nameFromArguments } from '../../command.ts';
import { jobContainer } from './job.ts';
import { createFlags, creating, targets } from './create-object.ts';

export const cronjob = command({
  use: "cronjob NAME --image=image --schedule='0/5 * * * ?' -- [COMMAND] [args...]",
  long: 'Create a cron job.',
  example: `  # Every five minutes
  kubectl create cronjob tick --image=busybox --schedule='*/5 * * * *' -- date`,
  flags: {
    ...createFlags,
    image: string({ usage: 'The image to run.', required: true }),
    schedule: string({ usage: 'The schedule of the job in cron format.', required: true }),
    restart: string({ usage: 'The restart policy of the pods: OnFailure or Never.' }),
  },
  async run(invocation) {
    const { flags, args } = invocation;
    const name = nameFromArguments(invocation);
    const create = await creating(invocation, flags);
    const restartPolicy = flags.restart === '' ? 'OnFailure' : flags.restart;
    await create({
      target: targets.cronJob,
      name,
      fields: {
        spec: {
          schedule: flags.schedule,
          jobTemplate: {
            metadata: { name },
            spec: {
              template: {
                metadata: {},
                spec: { containers: [jobContainer(name, flags.image, args.slice(1))], restartPolicy },
              },
            },
          },
        },
        status: {},
      },
      failure: 'failed to create cronjob: ',
    });
  },
});
