/** Decodes the object of a request body in the endpoint's version, with field validation and defaults. */
import {
  here,
  apiVersionOf,
  apiVersionProblem,
  badRequest,
  invalid,
  invalidError,
  JsonText,
  parseApiVersion,
  runStepInTurn,
  StatusError,
  type GroupVersionKind,
  type KubeObject,
  type StepObserver,
} from '@coxswain/apimachinery';
import { inFairTurn, nextSlice } from '@coxswain/apimachinery/slices.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { currentAllowance, withinAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import {
  applyDefaults,
  decode,
  decodeCopy,
  DecodeError,
  decodeValue,
  parseJson,
  typeMetaOf,
  typeMetaOfValue,
  hasDefaults,
  type Decoded,
  type Kind,
  type TypeMeta,
} from '@coxswain/schema';
import { NumberError } from '@coxswain/schema/json/decode-error.ts';
import { compileCustomType } from '@coxswain/schema/custom/compile.ts';
import type { ApiRequest } from '../../http/api-request.ts';
import { bodyOf } from '../../http/body-of.ts';
import type { Media } from '../../negotiation/media-type.ts';
import { negotiateBody } from '../../negotiation/negotiate.ts';
import { envelopeOf, protobufObject } from '../../negotiation/protobuf.ts';
import { withSortedMembers } from '../../negotiation/sorted-members.ts';
import { readYaml, warningsOf } from '../../negotiation/yaml.ts';
import type { ResourceScope } from '../../services/resource-scope.ts';
import type { FieldValidation } from '../../rest/options.ts';
import { internalTypeName } from '../../table/internal-type-name.ts';
import { recordingChanges } from '../../recorded-values/object-changes.ts';
import { recordedObject } from '../../recorded-values/recorded-object.ts';
import { internalVersion, typeOf, typeProblem } from './object-type.ts';

/**
 * Reads the body and returns a function that decodes it: into a new object at each call, since a write that lost a race
 * starts again from what the client sent.
 * @throws StatusError 400 (also from the result), 413 or 415
 */
export async function readObject(
  request: ApiRequest,
  scope: ResourceScope,
  fieldValidation: FieldValidation,
): Promise<() => KubeObject> {
  const { body } = request.incoming;
  const read = body.kind === 'object' ? () => ofObject(scope, body.object) : await readerOf(request, scope);
  return () => {
    try {
      return withinAllowance(request.allowance, () => finish(request, scope, read(), fieldValidation));
    } catch (failure) {
      throw scope.isCustom && scope.subresource === 'scale' ? scaleFailure(failure) : failure;
    }
  };
}

/** The server of custom resources does not register the type that scales are decoded into, and reports that instead. */
const scaleFailure = (failure: unknown): unknown =>
  failure instanceof StatusError && failure.status.code === 400
    ? badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"')
    : failure;

async function readerOf(request: ApiRequest, scope: ResourceScope): Promise<() => Found> {
  const { media } = negotiateBody(request, scope.negotiation);
  const bytes = await bodyOf(request);
  await turnFor(request, scope, bytes);
  return () => readers[media](scope, bytes);
}

/** Waits for a slice before decoding a large body. */
export async function turnFor(request: ApiRequest, scope: ResourceScope, bytes: Uint8Array): Promise<void> {
  const { resource, subresource, services } = scope;
  const { clock } = services;
  const turn =
    bytes.length > bytesInPassing && !request.isUrgent
      ? nextSlice(clock, request.owner)
      : inFairTurn(clock, request.owner, clock.monotonic(), () => undefined);
  if (turn !== undefined) await turn;
  services.turns?.note(`${request.info.verb} ${resource}${subresource && `/${subresource}`}`);
}

/** Bodies up to this size are decoded at once; larger ones wait for their slice. */
const bytesInPassing = 8 * 1024;

interface Found {
  readonly kind: Kind;
  /** The kind that the body states; custom resources are decoded whatever it is. */
  readonly givenKind: string;
  readonly decoded: unknown;
  readonly problems: readonly string[];
}

function ofObject(scope: ResourceScope, object: unknown): Found {
  const { apiVersion = '', kind: kindName = '' } = (object ?? {}) as { apiVersion?: string; kind?: string };
  const kind = kindOf(scope, { apiVersion, kind: kindName });
  const { object: decoded, problems } = decoding(scope, kind, { apiVersion, kind: kindName }, () =>
    decodeCopy(kind.type, object),
  );
  return { kind, givenKind: kindName, decoded, problems };
}

function ofJson(scope: ResourceScope, bytes: Uint8Array): Found {
  let parsed;
  let meta;
  try {
    parsed = parseJson(bytes);
    meta = typeMetaOf(parsed);
  } catch (failure) {
    throw unrecognized(scope, `couldn't get version/kind; json parse error: ${textOf(failure)}`, bytes);
  }
  checkCustomType(scope, meta, bytes);
  const kind = kindOf(scope, meta, bytes);
  const { object, problems } = decoding(scope, kind, meta, () => {
    try {
      return decode(kind.type, parsed);
    } catch (failure) {
      // The nesting depth is checked late here, but first upstream.
      if (!(failure instanceof DecodeError)) throw failure;
      // Upstream decodes metadata from a map, in the order of its members.
      if (kind.type.isCustom && failure.problem === 'type' && !(failure instanceof NumberError)) {
        return decodeValue(
          kind.type,
          withSortedMembers(JSON.parse(new TextDecoder().decode(bytes)), Infinity),
        );
      }
      if (failure.problem !== 'syntax') throw failure;
      throw unrecognized(scope, `couldn't get version/kind; json parse error: ${failure.message}`, bytes);
    }
  });
  return { kind, givenKind: meta.kind, decoded: object, problems };
}

function ofYaml(scope: ResourceScope, bytes: Uint8Array): Found {
  let read;
  try {
    read = readYaml(bytes);
  } catch (failure) {
    throw unrecognized(scope, textOf(failure), bytes);
  }
  const meta = yamlTypeMeta(scope, read.value, bytes);
  checkCustomType(scope, meta, bytes);
  const kind = kindOf(scope, meta, bytes);
  const { object, problems } = decoding(scope, kind, meta, () => decodeYaml(kind, read.value));
  return { kind, givenKind: meta.kind, decoded: object, problems: [...read.problems, ...problems] };
}

function yamlTypeMeta(scope: ResourceScope, value: unknown, bytes: Uint8Array): TypeMeta {
  try {
    return typeMetaOfValue(withSortedMembers(value, 1));
  } catch (failure) {
    throw unrecognized(scope, `couldn't get version/kind; json parse error: ${textOf(failure)}`, bytes);
  }
}

/** Upstream decodes YAML by way of JSON with sorted members, and reports problems in that order. */
function decodeYaml(kind: Kind, value: unknown): Decoded<unknown> {
  try {
    const decoded = decodeValue(kind.type, value);
    if (decoded.problems.length < 2) return decoded;
  } catch (failure) {
    if (!(failure instanceof DecodeError)) throw failure;
  }
  return decodeValue(kind.type, withSortedMembers(value, Infinity));
}

function ofProtobuf(scope: ResourceScope, bytes: Uint8Array): Found {
  let meta;
  try {
    meta = envelopeOf(bytes);
  } catch (failure) {
    throw unrecognized(scope, textOf(failure), bytes);
  }
  const kind = kindOf(scope, meta, bytes);
  const { object } = decoding(scope, kind, meta, () => ({
    object: protobufObject(kind, meta),
    problems: [],
  }));
  return { kind, givenKind: meta.kind, decoded: object, problems: [] };
}

const readers: Readonly<Record<Media, (scope: ResourceScope, bytes: Uint8Array) => Found>> = {
  json: ofJson,
  yaml: ofYaml,
  protobuf: ofProtobuf,
};

/** Custom resources are decoded without a type, so the body must state its kind. */
function checkCustomType(scope: ResourceScope, { apiVersion, kind }: TypeMeta, bytes: Uint8Array): void {
  if (!scope.bodyKinds[0]!.type.isCustom) return;
  if (kind === '')
    throw unrecognized(scope, `Object 'Kind' is missing in '${new TextDecoder().decode(bytes)}'`, bytes);
  if (apiVersion === '') throw wrongVersion(scope, apiVersion);
}

/** @throws StatusError 422 */
function checkCustomKind(expected: Kind, given: string, object: KubeObject): void {
  if (given === expected.kind) return;
  throw invalid({ group: expected.group, kind: given }, object.metadata?.name ?? '', [
    invalidError('kind', given, `must be ${expected.kind}`),
  ]);
}

/** The kind that the body states, if the endpoint accepts it. @throws StatusError 400 */
function kindOf(scope: ResourceScope, given: TypeMeta, bytes: Uint8Array = new Uint8Array()): Kind {
  const problem = apiVersionProblem(given.apiVersion);
  if (problem !== undefined) throw unrecognized(scope, problem, bytes);
  const expected = scope.bodyKinds[0]!;
  if (expected.type.isCustom) return customKindOf(scope, given);
  const type = typeOf(given, expected);
  const found = scope.bodyKinds.find((kind) => isOfType(kind, type));
  if (found !== undefined) return found;
  // An object of another version is decoded first, and refused for its version after all its other problems.
  const other =
    type.kind === expected.kind ? scope.services.registeredKind(apiVersionOf(type), type.kind) : undefined;
  if (other !== undefined) return other;
  if (type.version === internalVersion && isOfType(expected, { ...type, version: expected.version }))
    throw wrongVersion(scope, apiVersionOf(type));
  throw cannotBeHandled(
    scope,
    type,
    typeProblem(type, scope.services.goTypeOf(type, expected.group), internalTypeName(expected), () =>
      new TextDecoder().decode(bytes),
    ),
  );
}

const isOfType = ({ group, version, kind }: GroupVersionKind, type: GroupVersionKind): boolean =>
  kind === type.kind && group === type.group && version === type.version;

/** Custom resources are decoded without a type; only the version is checked. @throws StatusError 400 */
function customKindOf(scope: ResourceScope, given: TypeMeta): Kind {
  const expected = scope.bodyKinds[0]!;
  const { group, version } = parseApiVersion(given.apiVersion);
  const apiVersion = apiVersionOf({ group, version });
  if (apiVersion === expected.apiVersion) return expected;
  if (given.kind !== expected.kind || group !== expected.group) throw wrongVersion(scope, apiVersion);
  return scope.knownKinds.find((kind) => kind.apiVersion === apiVersion) ?? undescribed(expected, version);
}

/** An unknown version of a custom resource: all its fields but metadata are unknown. */
function undescribed(known: Kind, version: string): Kind {
  const apiVersion = apiVersionOf({ group: known.group, version });
  const type = compileCustomType({ ...known, version }, { type: 'object' });
  return { ...known, apiVersion, version, type };
}

const wrongVersion = ({ bodyKinds }: ResourceScope, apiVersion: string) =>
  badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${bodyKinds[0]!.apiVersion})`,
  );

const cannotBeHandled = (
  { bodyKinds }: ResourceScope,
  { kind, version }: Pick<GroupVersionKind, 'kind' | 'version'>,
  problem: string,
) =>
  badRequest(
    `${kind} in version ${goQuote(version)} cannot be handled as a ${bodyKinds[0]!.kind}: ${problem}`,
  );

function decoding(
  scope: ResourceScope,
  kind: Kind,
  { apiVersion, kind: given }: TypeMeta,
  decodeIt: () => Decoded<unknown>,
): Decoded<unknown> {
  try {
    return decodeIt();
  } catch (failure) {
    if (!(failure instanceof DecodeError)) throw failure;
    throw cannotBeHandled(scope, typeOf({ apiVersion, kind: given }, kind), failure.message);
  }
}

function finish(
  request: ApiRequest,
  scope: ResourceScope,
  { kind, givenKind, decoded, problems }: Found,
  fieldValidation: FieldValidation,
): KubeObject {
  if (kind.type.isCustom && saysItsKind(request, scope, decoded as KubeObject))
    checkCustomKind(kind, givenKind, decoded as KubeObject);
  if (problems.length > 0) reportProblems(request, scope, kind, problems, fieldValidation);
  if (!scope.bodyKinds.includes(kind)) throw wrongVersion(scope, kind.apiVersion);
  const object = withTypeMeta(decoded as KubeObject, kind);
  const fill = () =>
    decoding(scope, kind, kind, () => {
      defaultObject(kind, object, request.receivedAtMs);
      return { object, problems: [] };
    });
  if (request.observer === undefined) fill();
  else fillObserved(request.observer, scope, kind, object, problems, fill);
  // Schemas of custom resources may add much to a short object, and its validation and writing take as long again.
  if (kind.type.isCustom && hasDefaults(kind.type)) currentAllowance()?.askLeave();
  return object;
}

function fillObserved(
  observer: StepObserver,
  { groupResource }: ResourceScope,
  kind: Kind,
  object: KubeObject,
  problems: readonly string[],
  fill: () => void,
): void {
  const reported = new JsonText(object);
  const shown = recordedObject(groupResource, object, reported);
  observer.note?.({ kind: kind.kind, apiVersion: kind.apiVersion, problems, object: shown });
  // Who owns which fields is left out of what is compared.
  const before = object.metadata.managedFields === undefined ? { object, reported } : { object };
  const filled = () => recordingChanges(observer, groupResource, before, fill);
  runStepInTurn(observer, here`default`, isDefaulted(kind) ? filled : fill, undefined, defaultObject);
}

/**
 * A replacement is compared with the stored object first; an update of the status takes nothing but the status from the
 * body.
 */
const saysItsKind = (
  { info }: ApiRequest,
  { subresource }: ResourceScope,
  { metadata }: KubeObject,
): boolean => info.verb !== 'update' || (subresource !== 'status' && Boolean(metadata?.resourceVersion));

function reportProblems(
  request: ApiRequest,
  scope: ResourceScope,
  kind: Kind,
  problems: readonly string[],
  fieldValidation: FieldValidation,
): void {
  if (fieldValidation === 'Warn')
    for (const problem of problems) for (const text of warningsOf(problem)) request.warn(text);
  if (fieldValidation !== 'Strict') return;
  throw cannotBeHandled(scope, kind, `strict decoding error: ${problems.join(', ')}`);
}

/** Puts the kind first, as in responses. */
export function withTypeMeta(object: KubeObject, { kind, apiVersion }: Kind): KubeObject {
  object.kind = kind;
  object.apiVersion = apiVersion;
  object.metadata ??= {};
  return object;
}

const isDefaulted = ({ type, behaviour }: Kind): boolean =>
  behaviour.defaults !== undefined || hasDefaults(type);

/** Applies the version's defaults; modifies the object. */
export function defaultObject(kind: Kind, object: KubeObject, nowMs: number): void {
  applyDefaults(kind.type, object);
  for (const fill of kind.behaviour.defaults ?? []) fill(object as never, nowMs);
}

const unrecognized = (scope: ResourceScope, problem: string, bytes: Uint8Array) =>
  badRequest(
    `the object provided is unrecognized (must be of type ${scope.bodyKinds[0]!.kind}): ${problem} (${summaryOf(bytes)})`,
  );

/** The number of bytes of a body that an error message shows. */
const summaryBytesMax = 30;

function summaryOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const head = bytes.subarray(0, summaryBytesMax);
  const text = bytes[0] === openBrace ? new TextDecoder().decode(head) : hexOf(head);
  return bytes.length > summaryBytesMax ? `${text} ...` : text;
}

const openBrace = 0x7b;

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const textOf = (failure: unknown): string => {
  if (failure instanceof DecodeError) return failure.message;
  throw failure;
};
