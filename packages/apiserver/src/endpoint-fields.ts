/** Makes the field management of an endpoint that is being installed; what `InstallOptions.fieldManagementOf` wants. */
import type { Clock, KubeObject } from '@coxswain/apimachinery';
import type { ConvertTo } from '@coxswain/schema';
import type { ApiGroup, ApiResource } from './api-group.ts';
import type { FieldManagement } from './field-management.ts';
import { managedFields } from './managed-fields.ts';
import type { ResourceScope } from './resource-scope.ts';

/** Endpoints that take whole objects of their resource; a scale keeps its own book. */
export function endpointFields(
  scope: Omit<ResourceScope, 'fields'>,
  resource: ApiResource,
  group: ApiGroup,
  clock: Clock,
): FieldManagement | undefined {
  const { kind, subresource, storage } = scope;
  if (storage.update === undefined && storage.create === undefined) return undefined;
  if (kind.type.fields['metadata'] === undefined) return undefined;
  const others = versionsOf(scope, group);
  return managedFields({
    kind,
    subresource,
    resetFields: resource.storage.resetFields ?? [],
    apiVersions: [kind.apiVersion, ...others.keys()],
    convert: others.size === 0 ? undefined : converter(scope, others),
    clock,
  });
}

/** The same resource in the group's other versions. */
function versionsOf(scope: Omit<ResourceScope, 'fields'>, group: ApiGroup): ReadonlyMap<string, ApiResource> {
  const path = scope.subresource === '' ? scope.resource : `${scope.resource}/${scope.subresource}`;
  const others = new Map<string, ApiResource>();
  for (const { version, resources } of group.versions) {
    const other = resources[path];
    if (other !== undefined && version !== scope.version) {
      others.set((other.kind ?? other.storage.kind).apiVersion, other);
    }
  }
  return others;
}

/** Through the stored version, as everything goes. */
function converter(
  scope: Omit<ResourceScope, 'fields'>,
  others: ReadonlyMap<string, ApiResource>,
): ConvertTo {
  return (object, apiVersion) => {
    const current = object as KubeObject;
    const from = current.apiVersion ?? scope.kind.apiVersion;
    if (from === apiVersion) return { type: scope.kind.type, object };
    const hub = from === scope.kind.apiVersion ? scope.toStorage(current) : toHub(others.get(from), current);
    if (hub === undefined) return undefined;
    if (apiVersion === scope.kind.apiVersion)
      return { type: scope.kind.type, object: scope.fromStorage(hub) };
    const target = others.get(apiVersion);
    if (target === undefined) return undefined;
    return { type: (target.kind ?? target.storage.kind).type, object: fromHub(target, apiVersion, hub) };
  };
}

const toHub = (resource: ApiResource | undefined, object: KubeObject): KubeObject | undefined =>
  resource &&
  (resource.conversion?.toStorage(object) ?? { ...object, apiVersion: resource.storage.kind.apiVersion });

const fromHub = ({ conversion }: ApiResource, apiVersion: string, hub: KubeObject): KubeObject =>
  conversion?.fromStorage(hub) ?? { ...hub, apiVersion };
