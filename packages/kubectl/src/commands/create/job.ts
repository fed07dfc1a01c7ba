import type { CronJob } from '@coxswain/api/batch/v1/cron-job.ts';
import { string } from '@coxswain/cobra';
import { command, nameFromArguments } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { select } from '../../resource/select.ts';
import { createFlags, creating, filled, targets } from './create-object.ts';

export const job = command({
  use: 'job NAME --image=image [--from=cronjob/name] -- [COMMAND] [args...]',
  long: 'Create a job from an image or from the template of a cron job.',
  example: `  # Run one command
  kubectl create job hello --image=busybox -- echo hello

  # Run a cron job now
  kubectl create job now --from=cronjob/nightly`,
  disableFlagsInUseLine: true,
  flags: {
    ...createFlags,
    image: string({ usage: 'The image to run.' }),
    from: string({ usage: 'The object to create the job from. Only cronjob is supported.' }),
  },
  async run(invocation) {
    const { flags, args, context } = invocation;
    const name = nameFromArguments(invocation);
    const create = await creating(invocation, flags);
    const words = args.slice(1);
    if ((flags.image === '') === (flags.from === ''))
      throw new Error('either --image or --from must be specified');
    if (words.length > 0 && flags.from !== '') throw new Error('cannot specify --from and command');
    const made =
      flags.image === '' ? await fromCronJob(context, flags.from) : fromImage(name, flags.image, words);
    await create({
      target: targets.job,
      name,
      ...made,
      failure: 'failed to create job: ',
    });
  },
});

export const jobContainer = (name: string, image: string, words: readonly string[]) => ({
  name,
  ...filled({ image }),
  ...(words.length === 0 ? {} : { command: words }),
  resources: {},
});

const fromImage = (name: string, image: string, words: readonly string[]) => ({
  fields: {
    spec: {
      template: {
        metadata: {},
        spec: { containers: [jobContainer(name, image, words)], restartPolicy: 'Never' },
      },
    },
    status: {},
  },
});

async function fromCronJob(context: CommandContext, from: string) {
  const { namespace } = await context.namespace();
  const selected = await select(context, { args: [from], namespace, latest: true });
  const { infos, failures } = await selected.collect();
  if (failures[0] !== undefined) throw failures[0];
  const [info] = infos;
  if (infos.length !== 1 || info?.object === undefined) throw new Error('from must be an existing cronjob');
  const cronJob = info.object as CronJob;
  if (cronJob.kind !== 'CronJob') throw new Error(`unknown object type *v1.${cronJob.kind}`);
  const { metadata = {}, spec } = cronJob.spec.jobTemplate;
  return {
    metadata: {
      ...(metadata.labels ? { labels: metadata.labels } : {}),
      annotations: { 'cronjob.kubernetes.io/instantiate': 'manual', ...metadata.annotations },
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          name: cronJob.metadata.name,
          uid: cronJob.metadata.uid,
          controller: true,
        },
      ],
    },
    fields: { spec, status: {} },
  };
}
