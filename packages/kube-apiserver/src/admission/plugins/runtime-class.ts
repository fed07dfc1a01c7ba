/** Applies the overhead, node selector and tolerations of the runtime class. */
import { checkPathSegment, goQuote, semanticDeepEqual, StatusError } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import { wasSentEmpty } from '@coxswain/schema';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { RuntimeClass } from '@coxswain/api/node/v1/runtime-class.ts';
import { isTo, objectOf, on, refused } from '../attributes.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';

const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

export const runtimeClass = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'RuntimeClass',
  resources: [resources.pods],
  handles: on('CREATE'),
  concerns: (attributes) => isTo(attributes, resources.pods),
  async mutate(attributes) {
    const found = await classOf(attributes, objects);
    if (found === undefined) return;
    const { spec } = objectOf<Pod>(attributes);
    const podFixed = found.overhead?.podFixed;
    if (found.overhead !== undefined) {
      const isSet = Object.keys(spec.overhead ?? {}).length > 0;
      if (isSet && !semanticDeepEqual(podFixed, spec.overhead)) throw refused(attributes, mismatch);
      if (podFixed !== undefined) spec.overhead = { ...podFixed };
    }
    if (found.scheduling !== undefined) applyScheduling(attributes, spec, found.scheduling);
  },
  async validate(attributes) {
    const found = await classOf(attributes, objects);
    const { spec } = objectOf<Pod>(attributes);
    const { overhead } = spec;
    if (found?.overhead !== undefined) {
      if (!semanticDeepEqual(found.overhead.podFixed, overhead)) throw refused(attributes, mismatch);
    } else if (overhead !== undefined || wasSentEmpty(spec, 'overhead')) {
      throw refused(
        attributes,
        'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
      );
    }
  },
});

async function classOf(
  attributes: AdmissionAttributes,
  objects: ObjectReader,
): Promise<RuntimeClass | undefined> {
  const name = objectOf<Pod>(attributes).spec.runtimeClassName;
  if (name === undefined) return undefined;
  // A name that cannot be part of a URL is refused by the client that would request it.
  const problems = checkPathSegment(name);
  if (name === '') throw new StatusError(500, '', 'resource name may not be empty');
  if (problems.length > 0) {
    throw new StatusError(500, '', `invalid resource name ${goQuote(name)}: [${problems.join(' ')}]`);
  }
  const found = await objects.get<RuntimeClass>(resources.runtimeClasses, '', name);
  if (found === undefined) throw refused(attributes, `pod rejected: RuntimeClass ${goQuote(name)} not found`);
  return found;
}

type Scheduling = NonNullable<RuntimeClass['scheduling']>;

function applyScheduling(attributes: AdmissionAttributes, spec: Pod['spec'], scheduling: Scheduling): void {
  for (const [key, value] of Object.entries(scheduling.nodeSelector ?? {})) {
    const own = spec.nodeSelector?.[key];
    if (own === undefined || own === value) continue;
    throw refused(
      attributes,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
    );
  }
  if (scheduling.nodeSelector) spec.nodeSelector = { ...spec.nodeSelector, ...scheduling.nodeSelector };
  if (scheduling.tolerations?.length) {
    const own = spec.tolerations ?? [];
    const added = scheduling.tolerations.filter((one) => !own.some((other) => semanticDeepEqual(one, other)));
    spec.tolerations = [...own, ...added];
  }
}
