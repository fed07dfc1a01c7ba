/** The size of a gang is fixed: a job with gang scheduling keeps its parallelism. */
import { goQuote } from '@coxswain/apimachinery';
import type { AdmissionPlugin } from '@coxswain/apiserver';
import type { Job } from '@coxswain/api/batch/v1/job.ts';
import { isTo, objectOf, oldObjectOf, on, refused } from '../attributes.ts';
import type { ObjectReader } from '../../object-reader.ts';
import { podGroups, type PodGroup } from '../pod-groups.ts';

const jobs = { group: 'batch', resource: 'jobs' };

export const jobValidation = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'JobValidation',
  handles: on('UPDATE'),
  concerns: (attributes) => isTo(attributes, jobs),
  async validate(attributes) {
    const old = oldObjectOf<Job>(attributes);
    if (objectOf<Job>(attributes).spec.parallelism === old.spec.parallelism) return;
    const gang = (await groupsOf(old, objects)).find(({ spec }) => spec?.schedulingPolicy?.gang);
    if (gang === undefined) return;
    throw refused(
      attributes,
      `cannot change parallelism for a Job referencing gang-scheduled PodGroup ${goQuote(gang.metadata.name ?? '')}`,
    );
  },
});

/** The group that its template names, otherwise those that the job owns. */
async function groupsOf({ metadata, spec }: Job, objects: ObjectReader): Promise<readonly PodGroup[]> {
  const { namespace = '', uid } = metadata;
  const { schedulingGroup } = spec.template.spec as { schedulingGroup?: { podGroupName?: string } };
  if (schedulingGroup?.podGroupName !== undefined) {
    const named = await objects.get<PodGroup>(podGroups, namespace, schedulingGroup.podGroupName);
    return named === undefined ? [] : [named];
  }
  const all = await objects.list<PodGroup>(podGroups, namespace);
  return all.filter((group) =>
    group.metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === uid),
  );
}
