import type * as batch from '@coxswain/api/batch/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { jobSelectorText } from './job.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { describePodTemplate } from './pod-spec.ts';
import { boolText, DescriptionText, timeText } from './text.ts';

type CronJob = Live<batch.CronJob>;

export const describeCronJob: Describer = async (object, context) => {
  const { metadata, spec = {}, status = {} }: CronJob = object;
  const job = spec.jobTemplate?.spec ?? {};
  const events = await context.events(object);
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.field(0, 'Schedule', spec.schedule);
  text.field(0, 'Concurrency Policy', spec.concurrencyPolicy);
  text.field(0, 'Suspend', boolText(spec.suspend));
  text.field(0, 'Time Zone', spec.timeZone ?? '<unset>');
  text.field(0, 'Successful Job History Limit', spec.successfulJobsHistoryLimit ?? '<unset>');
  text.field(0, 'Failed Job History Limit', spec.failedJobsHistoryLimit ?? '<unset>');
  text.field(
    0,
    'Starting Deadline Seconds',
    spec.startingDeadlineSeconds === undefined ? '<unset>' : `${spec.startingDeadlineSeconds}s`,
  );
  text.field(0, 'Selector', job.selector === undefined ? '<unset>' : jobSelectorText(job));
  text.field(0, 'Parallelism', job.parallelism ?? '<unset>');
  text.field(0, 'Completions', job.completions ?? '<unset>');
  if (job.activeDeadlineSeconds !== undefined)
    text.field(0, 'Active Deadline Seconds', `${job.activeDeadlineSeconds}s`);
  describePodTemplate(text, job.template ?? {});
  text.field(
    0,
    'Last Schedule Time',
    status.lastScheduleTime ? timeText(status.lastScheduleTime) : '<unset>',
  );
  text.field(
    0,
    'Active Jobs',
    (status.active ?? []).length === 0 ? '<none>' : status.active!.map(({ name }) => name ?? '').join(', '),
  );
  describeEvents(text, events, context.nowMs);
  return text.toString();
};
