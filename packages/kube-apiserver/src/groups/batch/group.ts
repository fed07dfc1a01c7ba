import { CronJob, Job } from '@coxswain/api/batch/v1/index.ts';
import { resource, served } from '../resource.ts';
import type { Group } from '../resource.ts';
import { jobStrategy } from './job-strategy.ts';

export const batchGroup: Group = {
  name: 'batch',
  versions: [served('v1')],
  resources: [
    resource(CronJob, { status: true, generation: 'spec', gatedMembers: ['spec'] }),
    resource(Job, {
      ...jobStrategy,
      status: true,
      generation: 'spec',
      gatedMembers: ['spec'],
      deletionWarning:
        'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
    }),
  ],
};
