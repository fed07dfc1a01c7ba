/** What most plugins ask of a write, and how they refuse it. */
import { forbidden, type GroupResource, type StatusError } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionOperation } from '@coxswain/apiserver';

export const refused = (attributes: AdmissionAttributes, reason: string): StatusError =>
  forbidden(groupResourceOf(attributes), nameOf(attributes), reason);

export const groupResourceOf = ({ resource: { group, resource } }: AdmissionAttributes): GroupResource => ({
  group,
  resource,
});

/** Whether the write is to `resource` itself, or to the subresource given. */
export const isTo = (attributes: AdmissionAttributes, to: GroupResource, subresource = ''): boolean =>
  attributes.resource.resource === to.resource &&
  attributes.resource.group === to.group &&
  attributes.subresource === subresource;

/** Names are generated later; until then the prefix stands for the name. */
function nameOf({ name, object }: AdmissionAttributes): string {
  return name || object?.metadata.name || object?.metadata.generateName || 'Unknown';
}

/** For a plugin's `handles`. */
export const on =
  (...operations: readonly AdmissionOperation[]) =>
  (operation: AdmissionOperation): boolean =>
    operations.includes(operation);

/** Types an object whose kind is known from its resource. */
export const objectOf = <T>(attributes: AdmissionAttributes): T => attributes.object as unknown as T;
export const oldObjectOf = <T>(attributes: AdmissionAttributes): T => attributes.oldObject as unknown as T;
