import type { DeviceClass } from '@coxswain/api/resource/v1/device-class.ts';

/** The prefix before a class name in the extended resource that every DeviceClass stands for. */
export const classResourcePrefix = 'deviceclass.resource.kubernetes.io/';

/** Whether devices can provide the resource at all. */
export const canBeDevices = (name: string): boolean =>
  name.startsWith(classResourcePrefix) ||
  (name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.'));

/**
 * Maps extended resources to DeviceClasses: by `extendedResourceName`, or by the class's own name. Of several classes
 * for one resource the newest wins, then the first by name. As upstream, a class that lost is forgotten, and does not
 * return when the other is deleted.
 */
export class ExtendedResourceClasses {
  readonly #classes = new Map<string, DeviceClass>();

  get(resource: string): DeviceClass | undefined {
    return this.#classes.get(resource);
  }

  set(before: DeviceClass | undefined, after: DeviceClass): void {
    const resource = after.spec.extendedResourceName;
    const rival = resource ? this.#classes.get(resource) : undefined;
    if (rival !== undefined && !goesBefore(after, rival)) return;
    if (before !== undefined) this.delete(before);
    if (resource) this.#classes.set(resource, after);
    this.#classes.set(ownResource(after), after);
  }

  delete(gone: DeviceClass): void {
    this.#classes.delete(ownResource(gone));
    if (gone.spec.extendedResourceName) this.#classes.delete(gone.spec.extendedResourceName);
  }
}

const ownResource = ({ metadata }: DeviceClass): string => `${classResourcePrefix}${metadata?.name}`;

function goesBefore(one: DeviceClass, other: DeviceClass): boolean {
  const age = createdMs(one) - createdMs(other);
  return age === 0 ? nameOf(one) < nameOf(other) : age > 0;
}

const createdMs = ({ metadata }: DeviceClass): number => Date.parse(metadata?.creationTimestamp ?? '') || 0;
const nameOf = ({ metadata }: DeviceClass): string => metadata?.name ?? '';
