/** Some updates of a pod require a kubelet that supports them: its node must declare the feature. */
import { goQuote } from '@coxswain/apimachinery';
import type { AdmissionPlugin } from '@coxswain/apiserver';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { ResourceRequirements } from '@coxswain/api/core/v1/resource-requirements.ts';
import { goEqual } from '@coxswain/schema';
import { isTo, objectOf, oldObjectOf, on, refused } from '../attributes.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';

export const nodeDeclaredFeatures = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'NodeDeclaredFeatureValidator',
  resources: [resources.pods],
  handles: on('UPDATE'),
  concerns: (attributes) => isTo(attributes, resources.pods) || isTo(attributes, resources.pods, 'resize'),
  async validate(attributes) {
    const [pod, old] = [objectOf<Pod>(attributes), oldObjectOf<Pod>(attributes)];
    const { nodeName } = pod.spec;
    if (!nodeName || pod.metadata.generation === old.metadata.generation) return;
    const needed = needs.filter(({ isFor }) => isFor(pod.spec, old.spec)).map(({ feature }) => feature);
    if (needed.length === 0) return;
    const node = await objects.get<Node>(resources.nodes, '', nodeName);
    if (node === undefined) throw refused(attributes, `node ${goQuote(nodeName)} not found`);
    const missing = needed.filter((feature) => !(node.status.declaredFeatures ?? []).includes(feature));
    if (missing.length === 0) return;
    throw refused(
      attributes,
      `pod update requires features ${missing.join(', ')} which are not available on node ${goQuote(nodeName)}`,
    );
  },
});

type Spec = Pod['spec'];

/** By name, in the order of error messages. */
const needs: readonly { readonly feature: string; isFor(spec: Spec, old: Spec): boolean }[] = [
  {
    feature: 'InPlacePodLevelResourcesVerticalScaling',
    isFor: ({ resources: now }, { resources: before }) =>
      (now == null) !== (before == null) || !goEqual(ResourceRequirements, now, before, 'semantic'),
  },
  {
    feature: 'InPlacePodVerticalScalingInitContainers',
    isFor: ({ initContainers: now = [] }, { initContainers: before = [] }) =>
      before.some(
        ({ restartPolicy, resources: stored }, index) =>
          restartPolicy !== 'Always' &&
          !goEqual(ResourceRequirements, now[index]?.resources, stored, 'exact'),
      ),
  },
];
