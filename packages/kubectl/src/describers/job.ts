import type * as batch from '@coxswain/api/batch/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { controllerOf, describeAnnotations, describeLabels } from './metadata.ts';
import { describePodTemplate } from './pod-spec.ts';
import { selectorText } from './selector.ts';
import { DescriptionText, timeText } from './text.ts';

export type JobSpec = Live<batch.JobSpec>;

type Job = Live<batch.Job>;

/** Longer lists of indexes are truncated at the next comma. */
const indexesLengthMax = 50;

export const describeJob: Describer = async (object, context) => {
  const { metadata, spec = {}, status = {} }: Job = object;
  const events = await context.events(object);
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  text.field(0, 'Selector', jobSelectorText(spec));
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.optional(0, 'Controlled By', controllerOf(object));
  text.optional(0, 'Parallelism', spec.parallelism);
  text.field(0, 'Completions', spec.completions ?? '<unset>');
  text.optional(0, 'Completion Mode', spec.completionMode);
  text.optional(0, 'Suspend', spec.suspend);
  text.optional(0, 'Backoff Limit', spec.backoffLimit);
  text.optional(0, 'TTL Seconds After Finished', spec.ttlSecondsAfterFinished);
  if (status.startTime) text.field(0, 'Start Time', timeText(status.startTime));
  if (status.completionTime) text.field(0, 'Completed At', timeText(status.completionTime));
  if (status.startTime && status.completionTime) {
    text.field(
      0,
      'Duration',
      humanDuration(Date.parse(status.completionTime) - Date.parse(status.startTime)),
    );
  }
  if (spec.activeDeadlineSeconds !== undefined)
    text.field(0, 'Active Deadline Seconds', `${spec.activeDeadlineSeconds}s`);
  const ready = status.ready === undefined ? '' : ` (${status.ready} Ready)`;
  text.field(
    0,
    'Pods Statuses',
    `${status.active ?? 0} Active${ready} / ${status.succeeded ?? 0} Succeeded / ${status.failed ?? 0} Failed`,
  );
  if (spec.completionMode === 'Indexed')
    text.field(0, 'Completed Indexes', indexesText(status.completedIndexes ?? ''));
  describePodTemplate(text, spec.template ?? {});
  describeEvents(text, events, context.nowMs);
  return text.toString();
};

/** An invalid selector does not keep a job from being described. */
export function jobSelectorText({ selector }: JobSpec): string {
  try {
    return selectorText(selector);
  } catch (failure) {
    return `Failed to get selector: ${messageOf(failure)}`;
  }
}

function indexesText(indexes: string): string {
  if (indexes === '') return '<none>';
  const comma = indexes.indexOf(',', indexesLengthMax);
  return comma < 0 ? indexes : `${indexes.slice(0, comma + 1)}...`;
}
