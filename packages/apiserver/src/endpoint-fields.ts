/** The field manager of an endpoint. */
import type { Clock, KubeObject } from '@coxswain/apimachinery';
import { ConversionError, ConversionNeeded, type ConvertTo } from '@coxswain/schema';
import { isHollow } from '@coxswain/schema/structured-merge/granularity.ts';
import type { ApiGroup, ApiResource, ResourceForm } from './api-group.ts';
import type { FieldManagement } from './field-management.ts';
import { managedFields } from './managed-fields.ts';
import type { ResourceScope } from './services/resource-scope.ts';

/**
 * For endpoints that take whole objects of their resource; `scale` manages its own fields. Created for the first write,
 * since most resources of most servers are only read.
 */
export function endpointFields(
  scope: Omit<ResourceScope, 'fields'>,
  resource: ApiResource,
  group: ApiGroup,
  clock: Clock,
): FieldManagement | undefined {
  const { kind, storage } = scope;
  if (storage.update === undefined && storage.create === undefined) return undefined;
  if (kind.type.fields['metadata'] === undefined) return undefined;
  let fields: FieldManagement | undefined;
  const made = () => (fields ??= fieldsOf(scope, resource, group, clock));
  return {
    update: (...request) => made().update(...request),
    apply: (...request) => made().apply(...request),
  };
}

function fieldsOf(
  scope: Omit<ResourceScope, 'fields'>,
  resource: ApiResource,
  group: ApiGroup,
  clock: Clock,
): FieldManagement {
  const { kind, subresource } = scope;
  const others = versionsOf(scope, resource, group);
  return managedFields({
    kind,
    subresource,
    resetFields: resource.storage.resetFields ?? [],
    // For custom resources, only `/status` has reset fields in versions other than the one written.
    apiVersions:
      kind.type.isCustom && subresource !== 'status'
        ? [kind.apiVersion]
        : [kind.apiVersion, ...others.keys()],
    convert: kind.type.isCustom
      ? customConversion(scope, others, resource.convertElsewhere !== undefined)
      : others.size === 0
        ? undefined
        : converter(scope, others),
    ...(resource.convertElsewhere && { convertElsewhere: resource.convertElsewhere }),
    // CustomResourceDefinitions are converted last, when an object is written.
    throughStored:
      scope.identity || kind.type.isCustom
        ? undefined
        : (object) => scope.fromStorage(scope.toStorage(object)),
    clock,
  });
}

/**
 * The resource's other versions, by apiVersion. Upstream's core group and named groups don't know each other's types,
 * so a manager that wrote an Event in one owns nothing in the other.
 */
function versionsOf(
  scope: Omit<ResourceScope, 'fields'>,
  resource: ApiResource,
  group: ApiGroup,
): ReadonlyMap<string, ResourceForm> {
  const forms = resource.versions ?? formsIn(group, scope);
  const { apiVersion, group: ownGroup } = scope.kind;
  return new Map(
    forms
      .filter(({ kind }) => (kind.group === '') === (ownGroup === '') && kind.apiVersion !== apiVersion)
      .map((form) => [form.kind.apiVersion, form]),
  );
}

function formsIn(group: ApiGroup, { resource, subresource }: Omit<ResourceScope, 'fields'>): ResourceForm[] {
  const path = subresource === '' ? resource : `${resource}/${subresource}`;
  return group.versions.flatMap(({ resources }) => {
    const { kind, storage, conversion } = resources[path] ?? {};
    return storage === undefined ? [] : [{ kind: kind ?? storage.kind, ...(conversion && { conversion }) }];
  });
}

/**
 * Without a webhook, custom resources keep fields that the other version lacks. Such an object doesn't fit the
 * version's schema, and its fields can't be tracked.
 */
const customConversion =
  (
    { kind }: Omit<ResourceScope, 'fields'>,
    others: ReadonlyMap<string, ResourceForm>,
    isElsewhere: boolean,
  ): ConvertTo =>
  (object, apiVersion) => {
    const target = apiVersion === kind.apiVersion ? kind : others.get(apiVersion)?.kind;
    // Upstream knows which types don't exist, but requests the conversion first.
    if (target === undefined)
      throw new ConversionError(`request to convert CR to an invalid group/version: ${apiVersion}`);
    if (isElsewhere && !isNothing(object)) throw new ConversionNeeded(object, apiVersion);
    return { type: target.type, object: { ...(object as KubeObject), apiVersion } };
  };

/** Before its creation an object has nothing but its kind, in any version. */
const isNothing = (object: object): boolean =>
  Object.entries(object).every(
    ([name, value]) => name === 'apiVersion' || name === 'kind' || isHollow(value),
  );

/** Converts through the stored version. */
function converter(
  scope: Omit<ResourceScope, 'fields'>,
  others: ReadonlyMap<string, ResourceForm>,
): ConvertTo {
  const hubVersion = scope.storage.kind.apiVersion;
  return (object, apiVersion) => {
    const current = object as KubeObject;
    const from = current.apiVersion ?? scope.kind.apiVersion;
    if (from === apiVersion) return { type: scope.kind.type, object };
    const hub = from === scope.kind.apiVersion ? scope.toStorage(current) : toHub(others.get(from), current);
    if (hub === undefined) return undefined;
    if (apiVersion === scope.kind.apiVersion)
      return { type: scope.kind.type, object: scope.fromStorage(hub) };
    const target = others.get(apiVersion);
    return target && { type: target.kind.type, object: fromHub(target, hub) };
  };

  function toHub(form: ResourceForm | undefined, object: KubeObject): KubeObject | undefined {
    return form && (form.conversion?.toStorage(object) ?? { ...object, apiVersion: hubVersion });
  }
}

const fromHub = ({ kind, conversion }: ResourceForm, hub: KubeObject): KubeObject =>
  conversion?.fromStorage(hub) ?? { ...hub, apiVersion: kind.apiVersion };
