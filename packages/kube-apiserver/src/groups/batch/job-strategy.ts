import { inKeyOrder } from '@coxswain/api/meta/checks.ts';
import type { Strategy } from '@coxswain/apiserver';
import { wasSentEmpty } from '@coxswain/schema';
import type { Job } from '@coxswain/api/batch/v1/job.ts';
import { as, type AnyObject } from '../any-object.ts';

const uidLabel = 'batch.kubernetes.io/controller-uid';

export const jobStrategy: Partial<Strategy<AnyObject>> = {
  defaultGarbageCollection: 'orphan',
  prepareForCreate(object) {
    const job = as<Job>(object);
    if (!job.spec.manualSelector) generateSelector(job);
  },
  canonicalize: (object) => labelLikeTemplate(as<Job>(object)),
  isReadOtherwise: ({ metadata: { labels = {} } }) =>
    labels[uidLabel] !== undefined && Object.keys(labels).every((label) => ownLabels.has(label)),
};

/** A job with no other labels got them by defaulting on read, so its second write differs from the first. */
const ownLabels: ReadonlySet<string> = new Set([
  'job-name',
  'batch.kubernetes.io/job-name',
  'controller-uid',
  uidLabel,
]);

/** Defaults are applied when objects are read: a job without labels gets those of its template. */
function labelLikeTemplate({ metadata, spec }: Job): void {
  const labels = spec.template.metadata?.labels;
  if (labels !== undefined && metadata.labels === undefined) metadata.labels = { ...labels };
}

/**
 * A job's pods are selected by its uid. Contradictory labels are left to validation. Labels are added in place: after
 * defaulting, a job without labels of its own shares those of its template.
 */
function generateSelector({ metadata, spec }: Job): void {
  const { name = '', uid = '' } = metadata;
  const meta = (spec.template.metadata ??= {});
  const labels = (meta.labels ??= {});
  if (wasSentEmpty(meta, 'labels') && metadata.labels === undefined) metadata.labels = labels;
  for (const [label, value] of [
    ['job-name', name],
    ['batch.kubernetes.io/job-name', name],
    ['controller-uid', uid],
    [uidLabel, uid],
  ] as const) {
    labels[label] ??= value;
  }
  // Messages show a selector's labels in sorted order.
  const matchLabels = inKeyOrder({ [uidLabel]: uid, ...spec.selector?.matchLabels })!;
  spec.selector = { ...spec.selector, matchLabels };
}
