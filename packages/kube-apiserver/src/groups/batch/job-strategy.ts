import type { Strategy } from '@coxswain/apiserver';
import type { Job } from '@coxswain/api/batch/v1/job.ts';
import { as } from '../resource.ts';
import type { AnyObject } from '../resource.ts';

const uidLabel = 'batch.kubernetes.io/controller-uid';

export const jobStrategy: Partial<Strategy<AnyObject>> = {
  defaultGarbageCollection: 'orphan',
  prepareForCreate(object) {
    const job = as<Job>(object);
    if (!job.spec.manualSelector) generateSelector(job);
  },
};

/** A job's pods are told by its uid. Labels that contradict it are left to validation. */
function generateSelector({ metadata, spec }: Job): void {
  const { name = '', uid = '' } = metadata;
  const meta = (spec.template.metadata ??= {});
  meta.labels = {
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    [uidLabel]: uid,
    ...meta.labels,
  };
  spec.selector = { ...spec.selector, matchLabels: { [uidLabel]: uid, ...spec.selector?.matchLabels } };
}
