import { referencedText, type FieldError } from '@coxswain/apimachinery';
import type { ValidationContext } from '@coxswain/schema';
import { specPath, workloadRules } from '../../apps/workload-validation.ts';
import { podOptions } from '../../core/v1/pod/pod-validation-options.ts';
import { notNegative, pathOf, Errors } from '../../meta/checks.ts';
import type { SpecObject } from '../../meta/kind-object.ts';
import { validateMeta } from '../../meta/object-meta-validation.ts';
import { scheduleProblem } from './cron-schedule.ts';
import type { JobSpec } from './job-spec.ts';
import { validateJobSpec } from './job-spec-validation.ts';
import { hasTimeZone } from './time-zone.ts';
import type { CronJobSpec } from './cron-job-spec.ts';

type CronJobObject = SpecObject<CronJobSpec>;

/** The names of its jobs have eleven more characters. */
const nameLengthMax = 52;
const concurrencyPolicies = ['Allow', 'Forbid', 'Replace'];

export function validateCronJob(
  cronJob: CronJobObject,
  old: CronJobObject | undefined,
  context: ValidationContext,
): FieldError[] {
  const errors = new Errors();
  validateMeta(cronJob.metadata, old?.metadata, workloadRules, errors);
  const { spec } = cronJob;
  if (!spec.schedule) errors.required(specPath.child('schedule'));
  else validateSchedule(spec.schedule, spec.timeZone, old?.spec.schedule, errors);
  notNegative(spec.startingDeadlineSeconds, specPath, 'startingDeadlineSeconds', errors);
  if (spec.timeZone != null && old?.spec.timeZone !== spec.timeZone) validateTimeZone(spec.timeZone, errors);
  const path = specPath.child('concurrencyPolicy');
  if (!spec.concurrencyPolicy) errors.required(path);
  else if (!concurrencyPolicies.includes(spec.concurrencyPolicy)) {
    errors.notSupported(path, spec.concurrencyPolicy, concurrencyPolicies);
  }
  const options = podOptions(false, context, old?.spec.jobTemplate.spec.template);
  validateTemplate(spec.jobTemplate.spec, options, errors);
  notNegative(spec.successfulJobsHistoryLimit, specPath, 'successfulJobsHistoryLimit', errors);
  notNegative(spec.failedJobsHistoryLimit, specPath, 'failedJobsHistoryLimit', errors);
  const name = cronJob.metadata.name ?? '';
  if (old === undefined && name.length > nameLengthMax) {
    const detail = `must be no more than ${nameLengthMax} characters`;
    errors.invalid(pathOf('metadata', 'name'), name, detail);
  }
  return errors;
}

function validateTemplate(
  job: JobSpec,
  options: Parameters<typeof validateJobSpec>[2],
  errors: Errors,
): void {
  const path = specPath.child('jobTemplate', 'spec');
  validateJobSpec(job, path, options, errors);
  if (job.selector != null) {
    errors.invalid(path.child('selector'), job.selector, '`selector` will be auto-generated');
  }
  if (job.manualSelector) {
    errors.notSupported(path.child('manualSelector'), true, ['nil', 'false']);
  }
}

function validateSchedule(
  schedule: string,
  timeZone: string | null | undefined,
  old: string | undefined,
  errors: Errors,
): void {
  const path = specPath.child('schedule');
  const problem = scheduleProblem(schedule);
  if (problem !== undefined) errors.invalid(path, schedule, problem);
  if (!schedule.includes('TZ')) return;
  if (!old?.includes('TZ')) {
    const detail = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    errors.invalid(path, schedule, detail);
  } else if (timeZone != null) {
    const detail = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
    errors.invalid(path, schedule, detail);
  }
}

function validateTimeZone(timeZone: string, errors: Errors): void {
  const path = specPath.child('timeZone');
  const invalid = (detail: string): void => void errors.invalid(path, referencedText(timeZone), detail);
  if (timeZone === '') {
    invalid('timeZone must be nil or non-empty string');
    return;
  }
  if (!timeZone.split('/').every(isNamePart)) {
    invalid(`unknown time zone ${timeZone}`);
    return;
  }
  if (timeZone.toLowerCase() === 'local') {
    invalid('timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones');
  }
  if (!hasTimeZone(timeZone)) invalid(`unknown time zone ${timeZone}`);
}

const isNamePart = (part: string): boolean =>
  part !== '.' && part !== '..' && !part.startsWith('-') && /^[A-Za-z._\-0-9+]{1,14}$/.test(part);
