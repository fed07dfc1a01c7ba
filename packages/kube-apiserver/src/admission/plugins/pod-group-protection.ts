/** Keeps a pod group until no pod needs it. */
import type { AdmissionPlugin } from '@coxswain/apiserver';
import { isTo, on } from '../attributes.ts';
import { podGroups } from '../pod-groups.ts';

const finalizer = 'scheduling.k8s.io/podgroup-protection';

export const podGroupProtection: AdmissionPlugin = {
  name: 'PodGroupProtection',
  handles: on('CREATE'),
  mutate(attributes) {
    const { object } = attributes;
    if (object === undefined || !isTo(attributes, podGroups)) return;
    const { finalizers = [] } = object.metadata;
    if (!finalizers.includes(finalizer)) object.metadata.finalizers = [...finalizers, finalizer];
  },
};
