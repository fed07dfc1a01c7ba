/** The interface of the four patch types: read the body once, apply it to any stored object. */
import {
  here,
  apiVersionOf,
  apiVersionProblem,
  badRequest,
  internalError,
  invalid,
  invalidError,
  notFound,
  parseApiVersion,
  runStepInTurn,
  StatusError,
  type KubeObject,
} from '@coxswain/apimachinery';
import {
  decode,
  DecodeError,
  decodeValue,
  typeMetaOfValue,
  type Decoded,
  type Kind,
  type TypeMeta,
} from '@coxswain/schema';
import { writeAny } from '@coxswain/schema/json/write.ts';
import type { ApiRequest } from '../../http/api-request.ts';
import type { ResourceScope } from '../../services/resource-scope.ts';
import type { PatchOptions } from '../../rest/options.ts';
import type { Awaitable } from '../../rest/storage.ts';
import { internalTypeName } from '../../table/internal-type-name.ts';
import { defaultObject, withTypeMeta } from '../body/decode-body.ts';
import { managed } from '../managed.ts';
import { internalVersion, missingVersion, typeOf, typeProblem } from '../body/object-type.ts';

export interface PatchInput {
  readonly request: ApiRequest;
  readonly scope: ResourceScope;
  readonly options: PatchOptions;
  /** The body, or the patch as an object if the transport carries objects. */
  readonly bytes: Uint8Array | undefined;
  readonly object: unknown;
}

export interface PatchMechanism {
  /** Whether the endpoint accepts it. */
  isFor(scope: ResourceScope): boolean;
  /** `live` is in the endpoint's version and must not be modified. @throws StatusError */
  prepare(input: PatchInput): (live: KubeObject | undefined) => Awaitable<KubeObject>;
}

/** How the result becomes an object: by a decoder of values, or by printing and decoding its text. */
type PatchDecoder = typeof decodeValue | 'text';

/** Only an apply creates a missing object. @throws StatusError 404 */
export function liveObject({ scope, request }: PatchInput, live: KubeObject | undefined): KubeObject {
  if (live === undefined) throw notFound(scope.groupResource, request.info.name);
  return live;
}

/** Turns the plain values that a patch produced into an object of the kind, with its managed fields updated. */
export function finishPatch(
  input: PatchInput,
  live: KubeObject,
  patched: unknown,
  problems: readonly string[],
  printed?: () => string,
  decoder: PatchDecoder = decodeValue,
): Awaitable<KubeObject> {
  const { scope, options, request } = input;
  const object = decodePatched(input, patched, problems, printed, decoder);
  const { fields } = scope;
  if (fields === undefined) return object;
  return runStepInTurn(request.observer, here`managed-fields`, () =>
    managed(request, fields, live, object, options),
  );
}

/** Applies the defaults, too. @throws StatusError 422 */
function decodePatched(
  { scope, options, request }: PatchInput,
  patched: unknown,
  patchProblems: readonly string[],
  printed: () => string = () => writeAny(patched),
  decoder: PatchDecoder = decodeValue,
): KubeObject {
  if (scope.kind.type.isCustom) checkSaysWhatItIs(patched as Partial<KubeObject> | null, printed);
  const isInternal = !isStrategic(decoder) && saysInternal(scope, patched, printed);
  const decoded = isInternal
    ? decodedInternal(patched as object)
    : decodedExternal(scope, request, patched, printed, decoder);
  const isByValue = !isInternal && decoder === decodeValue;
  const unknown = isByValue ? problemsIn(scope.kind, decoded.problems, printed) : decoded.problems;
  const problems = [...patchProblems, ...unknown];
  if (problems.length > 0) {
    if (options.fieldValidation === 'Warn') for (const problem of problems) request.warn(problem);
    if (options.fieldValidation === 'Strict') {
      throw badPatch(printed(), `strict decoding error: ${problems.join(', ')}`);
    }
  }
  return withTypeMeta(decoded.object as KubeObject, scope.kind);
}

/**
 * Custom resources are decoded without a type, so they must state their kind. @throws StatusError 422, or 500 as
 * upstream
 */
function checkSaysWhatItIs(patched: Partial<KubeObject> | null, printed: () => string): void {
  if (!patched?.kind) {
    const text = printed();
    throw badPatch(text, `Object 'Kind' is missing in '${text}'`);
  }
  if (!patched.apiVersion) throw internalError(missingVersion('object has no apiVersion field'));
}

/** Of several problems, the first in the text that upstream decodes. */
function problemOf({ type }: Kind, text: string, failure: DecodeError): string {
  try {
    decode(type, text);
  } catch (inText) {
    if (inText instanceof DecodeError) return inText.message;
  }
  return failure.message;
}

/** Applies the defaults, too. @throws StatusError 422 */
function decodedExternal(
  { kind }: ResourceScope,
  request: ApiRequest,
  patched: unknown,
  printed: () => string,
  decoder: PatchDecoder,
): Decoded<unknown> {
  try {
    const decoded = decoder === 'text' ? decode(kind.type, printed()) : decoder(kind.type, patched);
    defaultObject(kind, decoded.object as KubeObject, request.receivedAtMs);
    return decoded;
  } catch (failure) {
    if (!(failure instanceof DecodeError)) throw failure;
    const text = printed();
    throw badPatch(text, isStrategic(decoder) ? failure.message : problemOf(kind, text, failure));
  }
}

/** A strategic merge knows the type; the results of other patches are decoded by the kind that they state. */
const isStrategic = (decoder: PatchDecoder): boolean => decoder !== decodeValue && decoder !== 'text';

/** In the order of the text that the original decodes. */
function problemsIn({ type }: Kind, found: readonly string[], printed: () => string): readonly string[] {
  return found.length < 2 ? found : decode(type, printed()).problems;
}

/** The members of internal versions have names that no text has. */
const decodedInternal = (patched: object): Decoded<unknown> => ({
  object: { metadata: {} },
  problems: Object.keys(patched)
    .filter((name) => name !== 'apiVersion' && name !== 'kind')
    .toSorted()
    .map((name) => `unknown field "${name}"`),
});

/** The server of custom resources knows no other kinds than these scales. */
const scaleVersions = new Set(['autoscaling/v1', 'extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2']);

/** A patch cannot change the kind: reports whether the result leaves the version open. @throws StatusError 422 */
function saysInternal(
  { kind, isCustom, subresource, services }: ResourceScope,
  patched: unknown,
  printed: () => string,
): boolean {
  try {
    const given = typeMetaOfPatched(patched);
    if (given.apiVersion === kind.apiVersion && given.kind === kind.kind) return false;
    // Of a patched status only the status is used.
    if (kind.type.isCustom && subresource === 'status') return false;
    if (kind.type.isCustom) throw customTypeProblem(kind, given, patched as KubeObject);
    // An object without a version is decoded into upstream's internal one.
    const type = typeOf(given, { ...kind, version: internalVersion });
    if (type.kind === kind.kind && type.group === kind.group) {
      if (type.version === internalVersion) return true;
      if (type.version === kind.version) return false;
    }
    if (isCustom && subresource === 'scale') {
      const goType =
        scaleVersions.has(apiVersionOf(type)) && type.kind === 'Scale' ? `${type.version}.Scale` : undefined;
      throw badPatch(printed(), typeProblem(type, goType, 'v1.Scale', printed));
    }
    const other = services.registeredKind(apiVersionOf(type), type.kind);
    if (other !== undefined) decodeValue(other.type, patched);
    const goType = services.goTypeOf(type, kind.group);
    throw badPatch(printed(), typeProblem(type, goType, internalTypeName(kind), printed));
  } catch (failure) {
    throw failure instanceof DecodeError ? badPatch(printed(), failure.message) : failure;
  }
}

/** @throws DecodeError */
function typeMetaOfPatched(patched: unknown): TypeMeta {
  let meta;
  try {
    meta = typeMetaOfValue(patched);
  } catch (failure) {
    if (!(failure instanceof DecodeError)) throw failure;
    throw new DecodeError('type', `couldn't get version/kind; json parse error: ${failure.message}`);
  }
  const problem = apiVersionProblem(meta.apiVersion);
  if (problem !== undefined) throw new DecodeError('type', problem);
  return meta;
}

/** Custom resources are decoded whatever kind they state. */
function customTypeProblem(
  expected: Kind,
  { apiVersion, kind: name }: TypeMeta,
  patched: KubeObject,
): StatusError {
  const { group, version } = parseApiVersion(apiVersion);
  if (version === '') return internalError(missingVersion('object has no apiVersion field'));
  const shown = apiVersionOf({ group, version });
  const errors = [
    ...(name === expected.kind ? [] : [invalidError('kind', name, `must be ${expected.kind}`)]),
    ...(apiVersion === expected.apiVersion
      ? []
      : [invalidError('apiVersion', shown, `must be ${expected.apiVersion}`)]),
  ];
  return invalid({ group, kind: name }, patched.metadata?.name ?? '', errors);
}

const badPatch = (printed: string, problem: string): StatusError =>
  invalid({ group: '', kind: '' }, '', [invalidError('patch', printed, problem)]);

export const badBody = (failure: unknown, prefix: string): unknown =>
  failure instanceof DecodeError ? badRequest(prefix + failure.message) : failure;
