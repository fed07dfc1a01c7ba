/** Required pod anti-affinity may use only the topology of nodes, not that of zones. */
import type { AdmissionPlugin } from '@coxswain/apiserver';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isTo, objectOf, on, refused } from '../attributes.ts';
import { resources } from '../../object-reader.ts';

const hostnameLabel = 'kubernetes.io/hostname';

export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  handles: on('CREATE', 'UPDATE'),
  validate(attributes) {
    if (!isTo(attributes, resources.pods)) return;
    const { affinity } = objectOf<Pod>(attributes).spec;
    const terms = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const wide = terms.find(({ topologyKey }) => topologyKey !== hostnameLabel);
    if (wide === undefined) return;
    throw refused(
      attributes,
      `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wide.topologyKey} but only key ${hostnameLabel} is allowed`,
    );
  },
};
