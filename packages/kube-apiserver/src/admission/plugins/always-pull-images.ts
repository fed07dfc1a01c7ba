/** Every pod pulls its images again, so that nobody runs an image without permission to pull it. */
import { fieldErrorText, notSupportedError } from '@coxswain/apimachinery/field-error.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isTo, objectOf, oldObjectOf, on, refused } from '../attributes.ts';
import { resources } from '../../object-reader.ts';

export const alwaysPullImages: AdmissionPlugin = {
  name: 'AlwaysPullImages',
  handles: on('CREATE', 'UPDATE'),
  mutate(attributes) {
    if (!hasNewImages(attributes)) return;
    const { spec } = objectOf<Pod>(attributes);
    for (const { container } of containersOf(spec)) container.imagePullPolicy = 'Always';
    for (const { image } of spec.volumes ?? []) if (image) image.pullPolicy = 'Always';
  },
  validate(attributes) {
    if (!hasNewImages(attributes)) return;
    const { spec } = objectOf<Pod>(attributes);
    const wrong = containersOf(spec).find(({ container }) => container.imagePullPolicy !== 'Always');
    if (wrong === undefined) return;
    const { container, path } = wrong;
    const error = notSupportedError(`${path}.imagePullPolicy`, container.imagePullPolicy, ['Always']);
    throw refused(attributes, fieldErrorText(error));
  },
};

function hasNewImages(attributes: AdmissionAttributes): boolean {
  if (!isTo(attributes, resources.pods)) return false;
  if (attributes.operation !== 'UPDATE') return true;
  const old = new Set(
    containersOf(oldObjectOf<Pod>(attributes).spec).map(({ container }) => container.image),
  );
  return containersOf(objectOf<Pod>(attributes).spec).some(({ container }) => !old.has(container.image));
}

function containersOf({ initContainers, containers, ephemeralContainers }: Pod['spec']) {
  const lists = { initContainers, containers, ephemeralContainers };
  return Object.entries(lists).flatMap(([name, list]) =>
    (list ?? []).map((container, index) => ({ container, path: `spec.${name}[${index}]` })),
  );
}
