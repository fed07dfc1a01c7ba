/** DeleteOptions: from the body if there is one (of any group and version), otherwise from the query. */
import { apiVersionProblem, type GroupVersionKind } from '@coxswain/apimachinery/meta.ts';
import { badRequest, invalid } from '@coxswain/apimachinery/errors.ts';
import { invalidError, notSupportedError, type FieldError } from '@coxswain/apimachinery/field-error.ts';
import { DeleteOptions as DeleteOptionsKind } from '@coxswain/api/meta/v1/options.ts';
import {
  decode,
  DecodeError,
  decodeValue,
  encode,
  parseJson,
  typeMetaOf,
  type TypeMeta,
} from '@coxswain/schema';
import { writeAny } from '@coxswain/schema/json/write.ts';
import type { ApiRequest } from '../../http/api-request.ts';
import { bodyOf } from '../../http/body-of.ts';
import { mediaTypes } from '../../negotiation/media-type.ts';
import { negotiateBody } from '../../negotiation/negotiate.ts';
import { envelopeOf, protobufObject } from '../../negotiation/protobuf.ts';
import { readYaml } from '../../negotiation/yaml.ts';
import type { ResourceScope } from '../../services/resource-scope.ts';
import type { DeleteOptions, PropagationPolicy } from '../../rest/options.ts';
import { typeOf, typeProblem } from '../body/object-type.ts';
import { booleanOf, integerOf, textOf } from './parameter.ts';
import { dryRunErrors } from './write-options.ts';

export interface RawDeleteOptions {
  gracePeriodSeconds?: number;
  preconditions?: { uid?: string; resourceVersion?: string };
  orphanDependents?: boolean;
  propagationPolicy?: string;
  dryRun?: string[];
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/** @throws StatusError 400, 415 or 422 */
export async function deleteOptionsOf(
  request: ApiRequest,
  { services }: ResourceScope,
): Promise<DeleteOptions> {
  const raw = await rawOptionsOf(request);
  return raw === undefined ? plain : checkedDeleteOptions(raw, services.allowsUnsafeDeletion);
}

async function rawOptionsOf(request: ApiRequest): Promise<RawDeleteOptions | undefined> {
  const { body } = request.incoming;
  if (body.kind === 'object')
    return decodeValue(DeleteOptionsKind.type, body.object).object as RawDeleteOptions;
  const bytes = body.kind === 'none' ? undefined : await bodyOf(request);
  if (bytes === undefined || bytes.length === 0)
    return request.hasQuery ? ofQuery(request.parameters) : undefined;
  return ofBody(request, bytes);
}

const plain: DeleteOptions = { dryRun: false };

function ofBody(request: ApiRequest, bytes: Uint8Array): RawDeleteOptions {
  const { media } = negotiateBody(request, { types: mediaTypes });
  try {
    const options =
      media === 'protobuf'
        ? ofProtobuf(bytes)
        : ofText(bytes, media === 'yaml' ? writeAny(readYaml(bytes).value) : bytes);
    noteOptions(request, options);
    return options;
  } catch (failure) {
    if (!(failure instanceof DecodeError)) throw failure;
    throw badRequest(failure.message);
  }
}

/** @param json `bytes`, or what they say in YAML */
function ofText(bytes: Uint8Array, json: string | Uint8Array): RawDeleteOptions {
  const parsed = readingJson(() => parseJson(json));
  checkType(
    readingJson(() => typeMetaOf(parsed)),
    bytes,
  );
  return readingJson(() => decode(DeleteOptionsKind.type, parsed), 'syntax').object as RawDeleteOptions;
}

function ofProtobuf(bytes: Uint8Array): RawDeleteOptions {
  const envelope = envelopeOf(bytes);
  checkType(envelope, bytes);
  return protobufObject(DeleteOptionsKind, envelope) as RawDeleteOptions;
}

/** @param problem only failures of this sort are translated */
function readingJson<T>(read: () => T, problem?: DecodeError['problem']): T {
  try {
    return read();
  } catch (failure) {
    if (!(failure instanceof DecodeError) || (problem ?? failure.problem) !== failure.problem) throw failure;
    throw badRequest(`couldn't get version/kind; json parse error: ${failure.message}`);
  }
}

const expectedType = { group: 'meta.k8s.io', version: 'v1', kind: 'DeleteOptions' };

/** Options of any version are accepted, even of one that doesn't exist. @throws StatusError 400 */
function checkType(given: TypeMeta, bytes: Uint8Array): void {
  const type = typeOf(given, expectedType);
  const problem = apiVersionProblem(given.apiVersion);
  if (problem !== undefined) throw badRequest(problem);
  if (type.kind === expectedType.kind && type.version !== '') return;
  throw badRequest(
    typeProblem(type, goTypeOf(type), 'v1.DeleteOptions', () => new TextDecoder().decode(bytes)),
  );
}

/** The kinds that upstream's options decoder knows. */
const ofAnyVersion = new Set([
  'CreateOptions',
  'UpdateOptions',
  'Status',
  'APIVersions',
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
]);
const ofMeta = new Set(['Table', 'TableOptions', 'PartialObjectMetadata', 'PartialObjectMetadataList']);
const ofMetaV1 = new Set(['WatchEvent', 'ListOptions', 'GetOptions', 'PatchOptions']);

function goTypeOf({ group, version, kind }: GroupVersionKind): string | undefined {
  if (ofAnyVersion.has(kind)) return `v1.${kind}`;
  if (group !== expectedType.group) return undefined;
  if (version === 'v1') return ofMeta.has(kind) || ofMetaV1.has(kind) ? `v1.${kind}` : undefined;
  if (version !== 'v1beta1' || !ofMeta.has(kind)) return undefined;
  return kind.endsWith('List') ? `v1beta1.${kind}` : `v1.${kind}`;
}

/** Upstream records them in a version that clients cannot send. */
function noteOptions({ audit }: ApiRequest, options: RawDeleteOptions): void {
  audit?.noteOptions(() =>
    encode(DeleteOptionsKind.type, {
      ...options,
      kind: 'DeleteOptions',
      apiVersion: 'meta.k8s.io/__internal',
    } as never),
  );
}

function ofQuery(parameters: URLSearchParams): RawDeleteOptions {
  const gracePeriodSeconds = integerOf(parameters, 'gracePeriodSeconds');
  const orphanDependents = booleanOf(parameters, 'orphanDependents');
  const propagationPolicy = parameters.get('propagationPolicy');
  const [uid, resourceVersion] = [textOf(parameters, 'uid'), textOf(parameters, 'resourceVersion')];
  return {
    ...((uid !== '' || resourceVersion !== '') && {
      preconditions: { ...(uid !== '' && { uid }), ...(resourceVersion !== '' && { resourceVersion }) },
    }),
    ...(gracePeriodSeconds === undefined ? undefined : { gracePeriodSeconds }),
    ...(orphanDependents === undefined ? undefined : { orphanDependents }),
    ...(propagationPolicy === null ? undefined : { propagationPolicy }),
    dryRun: parameters.getAll('dryRun'),
    ...(booleanOf(parameters, unsafe) === true && { [unsafe]: true }),
  };
}

const policies = ['Foreground', 'Background', 'Orphan'];

const unsafe = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** Options that require reading the object, which cannot be read. */
const unsafeExclusions = [
  ['dryRun', (raw: RawDeleteOptions) => (raw.dryRun ?? []).length > 0],
  ['propagationPolicy', (raw: RawDeleteOptions) => raw.propagationPolicy !== undefined],
  ['orphanDependents', (raw: RawDeleteOptions) => raw.orphanDependents !== undefined],
  ['gracePeriodSeconds', (raw: RawDeleteOptions) => raw.gracePeriodSeconds !== undefined],
  ['preconditions', (raw: RawDeleteOptions) => raw.preconditions !== undefined],
] as const;

/** @throws StatusError 422 */
export function checkedDeleteOptions(raw: RawDeleteOptions, allowsUnsafe = false): DeleteOptions {
  const ignoresReadErrors = allowsUnsafe && raw[unsafe] === true;
  const { propagationPolicy: policy, orphanDependents } = raw;
  const errors: FieldError[] = [];
  if (policy !== undefined && orphanDependents !== undefined) {
    errors.push(
      invalidError(
        'propagationPolicy',
        policy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  }
  if (policy !== undefined && !policies.includes(policy)) {
    errors.push(notSupportedError('propagationPolicy', policy, [...policies, 'nil']));
  }
  errors.push(...dryRunErrors(raw.dryRun ?? []));
  if (ignoresReadErrors) {
    const excluded = unsafeExclusions.filter(([, isSet]) => isSet(raw));
    errors.push(
      ...excluded.map(([name]) => invalidError(unsafe, true, `cannot be set together with .${name}`)),
    );
  }
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  return {
    ...(raw.gracePeriodSeconds === undefined ? undefined : { gracePeriodSeconds: raw.gracePeriodSeconds }),
    ...(raw.preconditions === undefined ? undefined : { preconditions: raw.preconditions }),
    ...(orphanDependents === undefined ? undefined : { orphanDependents }),
    ...(policy === undefined ? undefined : { propagationPolicy: policy as PropagationPolicy }),
    dryRun: (raw.dryRun ?? []).length > 0,
    ...(ignoresReadErrors && { ignoresReadErrors }),
  };
}
