/** Pods that request an extended resource tolerate the taint of the nodes dedicated to it. */
import type { AdmissionPlugin } from '@coxswain/apiserver';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isExtendedResource } from '@coxswain/api/core/v1/pod/resource-validation.ts';
import type { Toleration } from '@coxswain/api/core/v1/taint.ts';
import { isTo, objectOf, on } from '../attributes.ts';
import { resources } from '../../object-reader.ts';

export const extendedResourceToleration: AdmissionPlugin = {
  name: 'ExtendedResourceToleration',
  handles: on('CREATE', 'UPDATE'),
  mutate(attributes) {
    if (!isTo(attributes, resources.pods)) return;
    const { spec } = objectOf<Pod>(attributes);
    const asked = [...spec.containers, ...(spec.initContainers ?? [])].flatMap((container) =>
      Object.keys(container.resources?.requests ?? {}).filter(isExtendedResource),
    );
    for (const key of [...new Set(asked)].sort()) {
      const wanted: Toleration = { key, operator: 'Exists', effect: 'NoSchedule' };
      const tolerations = spec.tolerations ?? [];
      const index = tolerations.findIndex((one) => isAbout(one, wanted));
      spec.tolerations = index < 0 ? [...tolerations, wanted] : tolerations.with(index, wanted);
    }
  },
};

/** Whether two tolerations differ only in their seconds. */
const isAbout = (a: Toleration, b: Toleration): boolean =>
  a.key === b.key &&
  a.effect === b.effect &&
  a.operator === b.operator &&
  (a.value ?? '') === (b.value ?? '');
