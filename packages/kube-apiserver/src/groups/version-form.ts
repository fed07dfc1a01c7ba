/** A resource in one of its versions: whether it is served, its conversion, and how its endpoints differ. */
import type { ApiResource, ResourceForm, Strategy } from '@coxswain/apiserver';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import type { Kind } from '@coxswain/schema';
import { legacyConversion } from './conversion.ts';
import { deprecationOf } from './deprecations.ts';
import type { OtherVersion, Resource, Store, StoredResource } from './resource.ts';
import type { AnyObject } from './any-object.ts';
import type { Services } from './services.ts';
import { statusStrategyOf } from './strategy.ts';

/** The resource in this version, if it exists. */
export function formIn(
  { kind, alsoAs, legacy }: Resource,
  group: string,
  version: string,
): OtherVersion | undefined {
  const isHere = (one: Kind) => one.group === group && one.version === version;
  if (isHere(kind)) return { kind, ...(legacy === undefined ? {} : { legacy }) };
  return alsoAs.find((other) => isHere(other.kind));
}

export type IsServed = (form: OtherVersion) => boolean;

/** Common to all endpoints of a version that accept the whole object. */
export function endpointForm(
  resource: Resource,
  form: OtherVersion,
  isServed: IsServed,
): Omit<ApiResource, 'storage'> {
  const { kind } = form;
  const { conversion } = convertible(resource.kind, form);
  const deprecation = resource.deprecation ?? deprecationOf(kind);
  // Upstream understands managers of all served versions, but the core group is separate from all others.
  const isUnderstood = (other: OtherVersion) =>
    (other.kind.group === '') === (kind.group === '') && isServed(other);
  const versions = [ownForm(resource), ...resource.alsoAs].filter(isUnderstood);
  return {
    kind,
    versions: versions.map((other) => convertible(resource.kind, other)),
    ...(conversion === undefined ? {} : { conversion }),
    ...(deprecation === undefined ? {} : { deprecation }),
  };
}

const ownForm = ({ kind, legacy }: Resource): OtherVersion => ({
  kind,
  ...(legacy === undefined ? {} : { legacy }),
});

/** The conversion of objects between a version and the stored one. */
export const convertible = (storage: Kind, other: OtherVersion): ResourceForm =>
  other.legacy && other.kind !== storage
    ? { kind: other.kind, conversion: legacyConversion(storage, other) }
    : other;

type WholeStore = Store & { readonly main: GenericStore };

/** The store with the rules of a version that has its own. */
export function storeIn(
  { strategy: ownRules, errors }: OtherVersion,
  store: WholeStore,
  services: Services,
): WholeStore {
  if (ownRules === undefined && errors === undefined) return store;
  const stored = reportedAs(store.main.strategy as unknown as Strategy<AnyObject>, errors);
  const main = store.main.withStrategy({ ...stored, ...ownRules?.(stored) } as unknown as Strategy);
  const { resource } = store;
  const status =
    resource.status && store.withStrategy(reportedAs(statusStrategyOf(resource, services), errors));
  return { ...store, main: main as typeof main & StoredResource, status };
}

function reportedAs(strategy: Strategy<AnyObject>, errors: OtherVersion['errors']): Strategy<AnyObject> {
  if (errors === undefined) return strategy;
  const { validate, validateUpdate } = strategy;
  return {
    ...strategy,
    ...(validate && { validate: (object, request) => errors(validate(object, request), object) }),
    ...(validateUpdate && {
      validateUpdate: (object, old, request) => errors(validateUpdate(object, old, request), object),
    }),
  };
}
