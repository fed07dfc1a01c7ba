import { CronJob, Job } from '@coxswain/api/batch/v1/index.ts';
import { CronJob as CronJobV1beta1 } from '@coxswain/api/batch/v1beta1.ts';
import { legacy, legacyVersion, resource, served, type Group } from '../resource.ts';
import { jobStrategy } from './job-strategy.ts';

export const batchGroup: Group = {
  name: 'batch',
  versions: [served('v1'), legacyVersion('v1beta1')],
  resources: [
    resource(CronJob, {
      alsoAs: [legacy(CronJobV1beta1, { strategy: () => ({ defaultGarbageCollection: 'orphan' }) })],
      status: true,
      generation: 'spec',
      gatedMembers: ['spec'],
    }),
    resource(Job, {
      ...jobStrategy,
      status: { isDefaulted: true },
      generation: 'spec',
      gatedMembers: ['spec'],
      deletionWarning:
        'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
    }),
  ],
};
