/**
 * Pod security by the labels of a namespace. The level `privileged`, which is the default, allows everything;
 * the checks of the other two levels aren't built yet, so that pods there are refused, not let through.
 */
import type { KubeObject } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import { isTo, on, refused } from '../attributes.ts';
import { resources } from '../object-reader.ts';
import type { ObjectReader } from '../object-reader.ts';

const enforceLabel = 'pod-security.kubernetes.io/enforce';

export const podSecurity = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'PodSecurity',
  handles: on('CREATE'),
  validate(attributes) {
    if (!isTo(attributes, resources.pods)) return;
    const namespace = objects.get<KubeObject>(resources.namespaces, '', attributes.namespace);
    return namespace instanceof Promise
      ? namespace.then((later) => check(attributes, later))
      : check(attributes, namespace);
  },
});

function check(attributes: AdmissionAttributes, namespace: KubeObject | undefined): void {
  const level = namespace?.metadata.labels?.[enforceLabel];
  if (level !== 'baseline' && level !== 'restricted') return;
  throw refused(attributes, `the checks of PodSecurity "${level}:latest" are not implemented by this server`);
}
