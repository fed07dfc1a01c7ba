/** The four kinds of patches behind one face: read the body once, apply it to whatever is stored. */
import {
  badRequest,
  internalError,
  invalid,
  invalidError,
  notFound,
  StatusError,
} from '@coxswain/apimachinery';
import type { KubeObject } from '@coxswain/apimachinery';
import { decode, DecodeError, decodeValue } from '@coxswain/schema';
import type { Kind } from '@coxswain/schema';
import { writeAny } from '@coxswain/schema/json/write.ts';
import type { ApiRequest } from '../../http/api-request.ts';
import type { ResourceScope } from '../../resource-scope.ts';
import type { PatchOptions } from '../../rest/options.ts';
import type { Awaitable } from '../../rest/storage.ts';
import { internalTypeName } from '../../table/internal-type-name.ts';
import { checkCustomKind, defaultObject, withTypeMeta } from '../body/decode-body.ts';
import { managerOf } from '../options/write-options.ts';

export interface PatchInput {
  readonly request: ApiRequest;
  readonly scope: ResourceScope;
  readonly options: PatchOptions;
  /** The body, or the patch as an object where the transport carries objects. */
  readonly bytes: Uint8Array | undefined;
  readonly object: unknown;
}

export interface PatchMechanism {
  /** Whether the endpoint takes it. */
  isFor(scope: ResourceScope): boolean;
  /** `live` is in the endpoint's version, and must not be modified. @throws StatusError */
  prepare(input: PatchInput): (live: KubeObject | undefined) => Awaitable<KubeObject>;
}

/** Only an apply creates what isn't there. @throws StatusError 404 */
export function liveObject({ scope, request }: PatchInput, live: KubeObject | undefined): KubeObject {
  if (live === undefined) throw notFound(scope.groupResource, request.info.name);
  return live;
}

/** Plain values that a patch made, as an object of the kind; with managed fields noted. */
export function finishPatch(
  input: PatchInput,
  live: KubeObject,
  patched: unknown,
  problems: readonly string[],
  printed?: () => string,
  decoder = decodeValue,
): Awaitable<KubeObject> {
  const { scope, options, request } = input;
  const object = decodePatched(input, patched, problems, printed, decoder);
  return scope.fields === undefined ? object : scope.fields.update(live, object, managerOf(request, options));
}

/** With its defaults. @throws StatusError 422 */
export function decodePatched(
  { scope, options, request }: PatchInput,
  patched: unknown,
  patchProblems: readonly string[],
  printed: () => string = () => writeAny(patched),
  decoder = decodeValue,
): KubeObject {
  if (scope.kind.type.isCustom) checkSaysWhatItIs(patched as Partial<KubeObject> | null, printed);
  let decoded;
  try {
    checkTypeMeta(scope, patched, decoder);
    decoded = decoder(scope.kind.type, patched);
    defaultObject(scope.kind, decoded.object as KubeObject, request.receivedAtMs);
  } catch (failure) {
    if (!(failure instanceof DecodeError)) throw failure;
    const text = printed();
    throw badPatch(text, decoder === decodeValue ? problemOf(scope.kind, text, failure) : failure.message);
  }
  const problems = [...patchProblems, ...decoded.problems];
  if (problems.length > 0) {
    if (options.fieldValidation === 'Warn') for (const problem of problems) request.warn(problem);
    if (options.fieldValidation === 'Strict') {
      throw badPatch(printed(), `strict decoding error: ${problems.join(', ')}`);
    }
  }
  return withTypeMeta(decoded.object as KubeObject, scope.kind);
}

/** Custom resources are read without knowing what they are. @throws StatusError 422, or 500 as in the original */
function checkSaysWhatItIs(patched: Partial<KubeObject> | null, printed: () => string): void {
  if (!patched?.kind) {
    const text = printed();
    throw badPatch(text, `Object 'Kind' is missing in '${text}'`);
  }
  if (!patched.apiVersion)
    throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
}

/** Of several problems, the first in the text that the original decodes. */
function problemOf({ type }: Kind, text: string, failure: DecodeError): string {
  try {
    decode(type, text);
  } catch (inText) {
    if (inText instanceof DecodeError) return inText.message;
  }
  return failure.message;
}

/** A patch cannot make another kind of an object. @throws DecodeError */
function checkTypeMeta(
  { kind, services }: ResourceScope,
  patched: unknown,
  decoder: typeof decodeValue,
): void {
  const given = (patched ?? {}) as { apiVersion?: unknown; kind?: unknown };
  const apiVersion = given.apiVersion ?? kind.apiVersion;
  const name = given.kind ?? kind.kind;
  if (apiVersion === kind.apiVersion && name === kind.kind) return;
  if (typeof apiVersion !== 'string' || typeof name !== 'string') return;
  if (kind.type.isCustom) return checkCustomTypeMeta(kind, name, apiVersion, patched as KubeObject);
  const other = services.registeredKind(apiVersion, name);
  // A strategic merge has the type at hand; what is decoded by what it says it is may fail at that first.
  if (decoder !== decodeValue) return;
  if (other !== undefined) decodeValue(other.type, patched);
  throw new DecodeError(
    'type',
    other !== undefined
      ? `converting (${other.version}.${name}) to (${internalTypeName(kind)}): unknown conversion`
      : `no kind "${name}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`,
  );
}

/** Custom resources are read whatever they call themselves. @throws StatusError 422 */
function checkCustomTypeMeta(expected: Kind, name: string, apiVersion: string, patched: KubeObject): void {
  checkCustomKind(expected, name, patched);
  const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [''];
  throw invalid({ group, kind: name }, patched.metadata?.name ?? '', [
    invalidError('apiVersion', apiVersion, `must be ${expected.apiVersion}`),
  ]);
}

export const badPatch = (printed: string, problem: string): StatusError =>
  invalid({ group: '', kind: '' }, '', [invalidError('patch', printed, problem)]);

export const badBody = (failure: unknown, prefix: string): unknown =>
  failure instanceof DecodeError ? badRequest(prefix + failure.message) : failure;
