/** Helpers that most plugins use to examine a write and to refuse it. */
import { forbidden, type GroupResource, type StatusError } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionOperation } from '@coxswain/apiserver';

export const refused = (attributes: AdmissionAttributes, reason: string): StatusError =>
  forbidden(groupResourceOf(attributes), nameOf(attributes), reason);

export const groupResourceOf = ({ resource: { group, resource } }: AdmissionAttributes): GroupResource => ({
  group,
  resource,
});

/** Whether the write is to `resource` itself, or to the given subresource. */
export const isTo = (attributes: AdmissionAttributes, to: GroupResource, subresource = ''): boolean =>
  attributes.resource.resource === to.resource &&
  attributes.resource.group === to.group &&
  attributes.subresource === subresource;

/** The object's name; until a name is generated, the prefix stands for it. */
function nameOf({ name, object }: AdmissionAttributes): string {
  return name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
}

/** Makes a plugin's `handles` for these operations. */
export const on =
  (...operations: readonly AdmissionOperation[]) =>
  (operation: AdmissionOperation): boolean =>
    operations.includes(operation);

/** Casts the object to the type that its resource implies. */
export const objectOf = <T>(attributes: AdmissionAttributes): T => attributes.object as unknown as T;
export const oldObjectOf = <T>(attributes: AdmissionAttributes): T => attributes.oldObject as unknown as T;
