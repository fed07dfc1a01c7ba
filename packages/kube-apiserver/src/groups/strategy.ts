/** Makes strategies from descriptions: what every write of a kind resets, preserves and increments. */
import { semanticDeepEqual, type ObjectMeta } from '@coxswain/apimachinery';
import type { ApiRequest, Strategy } from '@coxswain/apiserver';
import { defaultObject } from '@coxswain/apiserver/handlers/body/decode-body.ts';
import {
  dropGatedFields,
  sameField,
  resolved,
  type Kind,
  type StructType,
  type ValidationContext,
} from '@coxswain/schema';
import type { GenerationRule, Resource } from './resource.ts';
import type { AnyObject } from './any-object.ts';
import type { Services } from './services.ts';
import { counting, versionedContext } from './versioned-errors.ts';
import { zeroOf } from './zero-value.ts';

/** The strategy of the whole object's endpoint. */
export function strategyOf(resource: Resource, services: Services): Strategy<AnyObject> {
  const own = { ...resource.strategy, ...resource.serverStrategy?.(services) };
  const { status, generation, kind } = resource;
  return {
    ...validationOf(resource, services),
    ...(status === undefined ? {} : { resetFields: [['status']] }),
    ...own,
    namespaced: kind.names!.namespaced,
    prepareForCreate(object, request) {
      if (status !== undefined && status.writableOutside === undefined) object.status = zeroStatus(kind);
      if (generation?.onCreate) object.metadata.generation = 1;
      dropDisabled(resource, services, object, undefined);
      own.prepareForCreate?.(object, request);
    },
    prepareForUpdate(object, old, request) {
      if (status !== undefined) object.status = old.status;
      if (generation?.countsDropped) countGeneration(kind, object, old, generation);
      dropDisabled(resource, services, object, old);
      own.prepareForUpdate?.(object, old, request);
      if (generation !== undefined && !generation.countsDropped)
        countGeneration(kind, object, old, generation);
    },
  };
}

/** The strategy of `/status`: only the status, and those metadata that upstream allows. */
export function statusStrategyOf(resource: Resource, services: Services): Strategy<AnyObject> {
  const {
    keepsMetadata = [],
    prepareForUpdate,
    resetFields,
    creates,
    isDefaulted,
    serverStrategy,
  } = resource.status!;
  const { kind } = resource;
  return {
    ...resource.strategy,
    ...(creates !== undefined && ofCreation(strategyOf(resource, services))),
    ...serverStrategy?.(services),
    namespaced: kind.names!.namespaced,
    allowCreateOnUpdate: creates === 'by update',
    resetFields: resetFields ?? [
      ['spec'],
      ...(keepsMetadata === 'all' ? [['metadata']] : keepsMetadata.map((member) => ['metadata', member])),
    ],
    prepareForUpdate(object, old, request) {
      if ('spec' in old || 'spec' in object) object.spec = old.spec;
      keepMetadata(object.metadata, old.metadata, keepsMetadata === 'all' ? clientsMetadata : keepsMetadata);
      dropDisabled(resource, services, object, old);
      prepareForUpdate?.(object, old, request);
      if (isDefaulted) defaultObject(kind, object, request.receivedAtMs);
    },
    validateUpdate: (object, old, request) =>
      counting(
        services.features,
        validatorsOf(kind).validateStatus?.(object, old, contextOf(services, request)),
        old,
      ),
    rules: () => validatorsOf(kind).validateStatus,
    warningsOnUpdate: (object, old) => validatorsOf(kind).statusWarnings?.(object, old) ?? [],
  };
}

/** The part of the whole object's strategy that concerns creation; only there are addresses and ports allocated. */
const ofCreation = ({
  prepareForCreate,
  validate,
  warningsOnCreate,
}: Strategy<AnyObject>): Partial<Strategy<AnyObject>> => ({
  ...(prepareForCreate && { prepareForCreate }),
  ...(validate && { validate }),
  ...(warningsOnCreate && { warningsOnCreate }),
});

/** The strategy of another endpoint that accepts the whole object and changes part of it. */
export function subresourceStrategyOf(
  resource: Resource,
  services: Services,
  name: string,
  prepareForUpdate: (object: AnyObject, old: AnyObject, request: ApiRequest) => void,
  resetFields: readonly (readonly string[])[] = [],
): Strategy<AnyObject> {
  const { kind } = resource;
  return {
    ...resource.strategy,
    namespaced: kind.names!.namespaced,
    allowCreateOnUpdate: false,
    resetFields,
    prepareForUpdate(object, old, request) {
      dropDisabled(resource, services, object, old);
      prepareForUpdate(object, old, request);
    },
    validateUpdate: (object, old, request) =>
      counting(
        services.features,
        validatorsOf(kind).validateSubresource?.[name]?.(object, old, contextOf(services, request)),
        old,
      ),
    rules: () => validatorsOf(kind).validateSubresource?.[name],
    warningsOnUpdate: () => [],
  };
}

/** A member that the object still shares with the old one has nothing to drop. */
function dropDisabled(
  { gatedMembers = [], kind }: Resource,
  { features }: Services,
  object: AnyObject,
  old: AnyObject | undefined,
): void {
  for (const member of gatedMembers) {
    if (object[member] === old?.[member]) continue;
    const held = resolved(kind.type.fields[member]!.type);
    const type = (held.form === 'list' ? resolved(held.element) : held) as StructType;
    dropGatedFields(type, object[member], old?.[member], (gate) => features.enabled(gate));
  }
}

/** The metadata that a client may set, without name, namespace and versions. */
export const clientsMetadata = [
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'deletionTimestamp',
  'generation',
];

/** Restores these members of the metadata in place. */
export function keepMetadata(metadata: ObjectMeta, old: ObjectMeta, members: readonly string[]): void {
  const target = metadata as Record<string, unknown>;
  const source = old as Readonly<Record<string, unknown>>;
  for (const member of members) {
    if (source[member] === undefined) delete target[member];
    else target[member] = source[member];
  }
}

function countGeneration(
  { type }: Kind,
  object: AnyObject,
  old: AnyObject,
  { on, equality = 'semantic' }: GenerationRule,
): void {
  const changed = on.some((member) => {
    const [now, before] = [memberOf(object, member), memberOf(old, member)];
    const field = type.fields[member];
    return field === undefined
      ? !semanticDeepEqual(now, before)
      : !sameField(member, field, object, old, equality);
  });
  const before = old.metadata.generation ?? 0;
  if (changed) object.metadata.generation = before + 1;
}

const memberOf = (object: AnyObject, member: string): unknown => {
  if (member === 'metadata.annotations') return object.metadata.annotations;
  return member === 'metadata.labels' ? object.metadata.labels : object[member];
};

function zeroStatus(kind: Kind): unknown {
  const field = kind.type.fields.status;
  return field === undefined || field.presence === 'pointer' ? undefined : zeroOf(field.type);
}

type Validators = NonNullable<Kind<unknown, AnyObject>['behaviour']>;

const validatorsOf = (kind: Kind): Validators => kind.behaviour as unknown as Validators;

const contextOf = ({ allowPrivileged, features }: Services, request: ApiRequest): ValidationContext => ({
  nowMs: request.receivedAtMs,
  allowPrivileged,
  ...versionedContext(features),
});

/** An object is validated in the version in which it was sent, if that has rules of its own. */
function validationOf(resource: Resource, services: Services): Partial<Strategy<AnyObject>> {
  const { kind } = resource;
  const { warnings } = validatorsOf(kind);
  const check = (object: AnyObject, old: AnyObject | undefined, request: ApiRequest) => {
    const { validate, view } = rulesFor(resource, request);
    return counting(
      services.features,
      validate?.(view(object), old && view(old), contextOf(services, request)),
      old,
    );
  };
  return {
    validate: (object, request) => check(object, undefined, request),
    validateUpdate: check,
    rules: (request) => rulesFor(resource, request).validate,
    ...(warnings === undefined
      ? {}
      : {
          warningsOnCreate: (object) => warnings(object, undefined, versionedContext(services.features)),
          warningsOnUpdate: (object, old) => warnings(object, old, versionedContext(services.features)),
        }),
  };
}

function rulesFor({ kind, alsoAs }: Resource, { info }: ApiRequest) {
  const other = alsoAs.find((one) => one.kind.group === info.group && one.kind.version === info.version);
  const { validate } = other === undefined ? {} : validatorsOf(other.kind);
  if (validate === undefined || other?.conversion === undefined) {
    return { validate: validatorsOf(kind).validate, view: (object: AnyObject) => object };
  }
  const { conversion } = other;
  return { validate, view: (object: AnyObject) => conversion.fromStorage(object) as AnyObject };
}
