/** A pod group that refers to a workload's template requires both to exist. */
import { goQuote } from '@coxswain/apimachinery';
import type { AdmissionPlugin } from '@coxswain/apiserver';
import { isTo, objectOf, on, refused } from '../attributes.ts';
import type { ObjectReader } from '../../object-reader.ts';
import { podGroups, workloads, type PodGroup, type Workload } from '../pod-groups.ts';

export const podGroupWorkloadExists = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'PodGroupWorkloadExists',
  handles: on('CREATE'),
  concerns: (attributes) => isTo(attributes, podGroups),
  async validate(attributes) {
    const ref = objectOf<PodGroup>(attributes).spec?.podGroupTemplateRef?.workload;
    if (!ref) return;
    const name = goQuote(ref.workloadName);
    const workload = await objects.get<Workload>(workloads, attributes.namespace, ref.workloadName);
    if (workload === undefined) throw refused(attributes, `PodGroup rejected: Workload ${name} not found`);
    if (workload.metadata.deletionTimestamp !== undefined) {
      throw refused(attributes, `PodGroup rejected: Workload ${name} is being deleted`);
    }
    const templates = workload.spec?.podGroupTemplates ?? [];
    if (templates.some((template) => template.name === ref.podGroupTemplateName)) return;
    throw refused(
      attributes,
      `PodGroup rejected: PodGroupTemplate ${goQuote(ref.podGroupTemplateName)} not found in Workload ${name}`,
    );
  },
});
