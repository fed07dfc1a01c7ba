/** Makes served JSON and decoded objects from stored values, for the cache. */
import { deepEqual, type KubeObject } from '@coxswain/apimachinery';
import {
  applyDefaults,
  decode,
  decodeEnvelope,
  decodeProtobuf,
  encode,
  encodeProtobuf,
  encodeWithVersionGap,
  isProtobuf,
  type Kind,
} from '@coxswain/schema';
import type { CachedObject } from '@coxswain/storage/cacher/cached-object.ts';
import type { Entry } from '@coxswain/storage/storage.ts';
import type { Fields, Labels, ObjectCodec } from '@coxswain/storage/cacher/object-codec.ts';
import type { ResourceForm } from '../api-group.ts';
import { utf8 } from '../http/api-response.ts';
import { hasVersionAt, versionGapOf } from './version-gap.ts';

/** @param others versions in which another server may have stored an object */
export const objectCodec = (kind: Kind, others: readonly ResourceForm[] = []): ObjectCodec<KubeObject> =>
  new KindCodec(kind, others);

class KindCodec implements ObjectCodec<KubeObject> {
  readonly #kind: Kind;
  readonly #foreign: ForeignForms;
  /** Custom resources that this server has read, not written. */
  readonly #readBack: WeakSet<object> | undefined;

  constructor(kind: Kind, others: readonly ResourceForm[]) {
    this.#kind = kind;
    this.#foreign =
      others.length === 0 ? noForms : new Map(others.map((form) => [form.kind.apiVersion, form]));
    this.#readBack = kind.type.isCustom ? new WeakSet<object>() : undefined;
  }

  served(entry: Entry): Uint8Array {
    const gap = versionGapOf(entry.value);
    const isAsWritten = gap >= 0 && (!this.#kind.type.isCustom || this.#isOwnWriting(entry));
    return isAsWritten && foreignForm(this.#kind, this.#foreign, entry.value) === undefined
      ? withGapFilled(entry.value, gap, entry.modRevision)
      : utf8(encode(this.#kind.type, this.decode(entry)));
  }

  decode(entry: Entry): KubeObject {
    const handedOver = entry.decoded as KubeObject | undefined;
    if (handedOver !== undefined) return withVersion(handedOver, entry.modRevision);
    const object = withVersion(decodeAny(this.#kind, this.#foreign, entry.value), entry.modRevision);
    this.#readBack?.add(object);
    return object;
  }

  labels({ metadata }: KubeObject): Labels {
    return metadata.labels ?? noLabels;
  }

  fields(object: KubeObject): Fields {
    const { name = '', namespace = '' } = object.metadata;
    const fields: Record<string, string> = { 'metadata.name': name, 'metadata.namespace': namespace };
    const { selectableFields = noFields } = this.#kind.behaviour;
    for (const field in selectableFields) fields[field] = selectableFields[field]!(object as never);
    return fields;
  }

  /** A CustomResourceDefinition may have changed since an object was written, and determines how it is read. */
  #isOwnWriting({ decoded }: Entry): boolean {
    return decoded !== undefined && this.#readBack?.has(decoded as KubeObject) !== true;
  }
}

const noFields: NonNullable<Kind['behaviour']['selectableFields']> = {};

const noLabels = {};

type ForeignForms = ReadonlyMap<string, ResourceForm>;

const noForms: ForeignForms = new Map();

/** Undefined for values in the kind's own version, or in an unknown one. */
function foreignForm(kind: Kind, foreign: ForeignForms, value: Uint8Array): ResourceForm | undefined {
  if (foreign.size === 0) return undefined;
  const apiVersion = isProtobuf(value) ? decodeEnvelope(value).apiVersion : writtenVersion(value);
  return apiVersion === kind.apiVersion ? undefined : foreign.get(apiVersion);
}

/** For JSON: it is before the metadata or right after them. */
const writtenVersion = (value: Uint8Array): string =>
  /"apiVersion":"([^"]*)"/.exec(ascii.decode(value.subarray(0, headBytesMax)))?.[1] ?? '';

const ascii = new TextDecoder('latin1');
const headBytesMax = 256;

function decodeAny(kind: Kind, foreign: ForeignForms, value: Uint8Array): KubeObject {
  const form = foreignForm(kind, foreign, value);
  if (form === undefined) return decodeStored(kind, value);
  const object = decodeStored(form.kind, value);
  return form.isKept ? object : inVersion(kind, form.conversion?.toStorage(object) ?? object);
}

/** Decodes JSON, or the protobuf that other servers with the same store write. */
function decodeStored(kind: Kind, value: Uint8Array): KubeObject {
  if (kind.type.isCustom) return decodeCustomStored(kind, value);
  if (!isProtobuf(value)) return decode(kind.type, value).object as KubeObject;
  const object = decodeProtobuf(kind.type, decodeEnvelope(value)) as KubeObject;
  // Some fields are in no message (the kind of a claim's template), others are newer than the value.
  applyDefaults(kind.type, object);
  const writtenMs = Date.parse(object.metadata.creationTimestamp ?? '') || 0;
  for (const fill of kind.behaviour.defaults ?? []) fill(object as never, writtenMs);
  return object;
}

/** Pruned and defaulted by the current schema, in the current storage version. */
function decodeCustomStored(kind: Kind, value: Uint8Array): KubeObject {
  const object = decode(kind.type, value).object as KubeObject;
  applyDefaults(kind.type, object);
  return object.apiVersion === kind.apiVersion ? object : { ...object, apiVersion: kind.apiVersion };
}

/** The encoding for writing; both can be read. */
export type StoredForm = 'json' | 'protobuf';

/** The value to store, without resourceVersion, which the store assigns. */
export const storedValue = (kind: Kind, object: KubeObject, form: StoredForm = 'json'): Uint8Array =>
  form === 'protobuf'
    ? encodeProtobuf(kind.type, inVersion(kind, unversioned(object)))
    : utf8(encodeWithVersionGap(kind.type, object).text);

/** The value in the version that older servers with the same store understand. */
export const storedValueAs = (
  { kind, conversion }: ResourceForm,
  object: KubeObject,
  form: StoredForm | undefined,
): Uint8Array => storedValue(kind, inVersion(kind, conversion?.fromStorage(object) ?? object), form);

const inVersion = ({ apiVersion, kind }: Kind, object: KubeObject) => ({ ...object, apiVersion, kind });

function unversioned(object: KubeObject): KubeObject {
  const { resourceVersion, ...metadata } = object.metadata;
  return resourceVersion === undefined ? object : { ...object, metadata };
}

/** Modifies the object in place if nobody else can have seen it with another resourceVersion. */
function withVersion(object: KubeObject, revision: number): KubeObject {
  const version = String(revision);
  const { metadata } = object;
  if (metadata.resourceVersion === version) return object;
  if (metadata.resourceVersion) return { ...object, metadata: { ...metadata, resourceVersion: version } };
  metadata.resourceVersion = version;
  return object;
}

/**
 * Whether a value to store equals the stored one. @param storedAs the version of the value, if it isn't that of `kind`
 */
export function isServedAs(
  kind: Kind,
  storedAs: ResourceForm | undefined,
  value: Uint8Array,
  current: CachedObject<KubeObject>,
): boolean {
  const gap = versionGapOf(value);
  const { stored } = current;
  // Values in the same encoding can be compared directly, without making the served form.
  if (
    stored !== undefined &&
    gap >= 0 &&
    !kind.type.isCustom &&
    isSameUpTo(gap, stored, value) &&
    !hasVersionAt(stored, gap)
  )
    return isSameBytes(value, stored);
  const { served } = current;
  if (storedAs !== undefined) {
    const foreign = new Map([[storedAs.kind.apiVersion, storedAs]]);
    const object = withVersion(decodeAny(kind, foreign, value), current.revision);
    return isSameBytes(utf8(encode(kind.type, object)), served);
  }
  if (served.length <= value.length) return false;
  if (gap < 0) {
    const object = withVersion(decodeStored(kind, value), current.revision);
    return isSameBytes(utf8(encode(kind.type, object)), served);
  }
  const filler = served.length - value.length;
  if (filler !== versionMember(current.revision).length) return false;
  if (!isSameUpTo(gap, value, served)) return false;
  for (let at = gap; at < value.length; at++) if (value[at] !== served[at + filler]) return false;
  return true;
}

/** Whether two values have the same content; another server may have written its members in another order. */
export function isSameDocument(stored: Uint8Array, value: Uint8Array): boolean {
  return isSameBytes(stored, value) || deepEqual(documentOf(stored), documentOf(value));
}

const documentOf = (value: Uint8Array): KubeObject =>
  unversioned(JSON.parse(new TextDecoder().decode(value)) as KubeObject);

function isSameUpTo(end: number, a: Uint8Array, b: Uint8Array): boolean {
  for (let at = 0; at < end; at++) if (a[at] !== b[at]) return false;
  return true;
}

const isSameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && isSameUpTo(a.length, a, b);

const versionMember = (revision: number): string => `"resourceVersion":"${revision}",`;

function withGapFilled(value: Uint8Array, gap: number, revision: number): Uint8Array {
  const filler = utf8(versionMember(revision));
  const served = new Uint8Array(value.length + filler.length);
  served.set(value.subarray(0, gap));
  served.set(filler, gap);
  served.set(value.subarray(gap), gap + filler.length);
  return served;
}
