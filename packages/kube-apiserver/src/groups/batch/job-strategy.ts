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

/** A job that has no others got them when it was read, so that its second write differs from the first. */
const ownLabels: ReadonlySet<string> = new Set([
  'job-name',
  'batch.kubernetes.io/job-name',
  'controller-uid',
  uidLabel,
]);

/** What is stored gets defaults when it is read: a job without labels has those of its template. */
function labelLikeTemplate({ metadata, spec }: Job): void {
  const labels = spec.template.metadata?.labels;
  if (labels !== undefined && metadata.labels === undefined) metadata.labels = { ...labels };
}

/**
 * A job's pods are told by its uid. Labels that contradict it are left to validation. They are added in
 * place: a job without labels shares those of its template since it got its defaults.
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
  // Messages show a selector's labels in order.
  const matchLabels = inKeyOrder({ [uidLabel]: uid, ...spec.selector?.matchLabels })!;
  spec.selector = { ...spec.selector, matchLabels };
}
