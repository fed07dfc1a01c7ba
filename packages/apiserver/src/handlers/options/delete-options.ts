/** DeleteOptions: from the body where there is one (of any group's version), else from the query. */
import { badRequest, invalid } from '@coxswain/apimachinery/errors.ts';
import { invalidError, notSupportedError } from '@coxswain/apimachinery/field-error.ts';
import type { FieldError } from '@coxswain/apimachinery/field-error.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { DeleteOptions as DeleteOptionsKind } from '@coxswain/api/meta/v1/delete-options.ts';
import { decode, DecodeError, decodeValue, encode, parseJson, typeMetaOf } from '@coxswain/schema';
import { writeAny } from '@coxswain/schema/json/write.ts';
import type { ApiRequest } from '../../http/api-request.ts';
import { readBody } from '../../http/request-body.ts';
import { mediaTypes } from '../../negotiation/media-type.ts';
import { negotiateBody } from '../../negotiation/negotiate.ts';
import { protobufObject } from '../../negotiation/protobuf.ts';
import { readYaml } from '../../negotiation/yaml.ts';
import type { ResourceScope } from '../../resource-scope.ts';
import type { DeleteOptions, PropagationPolicy } from '../../rest/options.ts';
import { booleanOf, integerOf } from './parameter.ts';
import { dryRunErrors } from './write-options.ts';

export interface RawDeleteOptions {
  gracePeriodSeconds?: number;
  preconditions?: { uid?: string; resourceVersion?: string };
  orphanDependents?: boolean;
  propagationPolicy?: string;
  dryRun?: string[];
}

/** @throws StatusError 400, 415 or 422 */
export async function deleteOptionsOf(request: ApiRequest, scope: ResourceScope): Promise<DeleteOptions> {
  const { body } = request.incoming;
  if (body.kind === 'object')
    return checkedDeleteOptions(decodeValue(DeleteOptionsKind.type, body.object).object as RawDeleteOptions);
  const bytes = body.kind === 'none' ? undefined : await readBody(body);
  if (bytes === undefined || bytes.length === 0)
    return request.hasQuery ? checkedDeleteOptions(ofQuery(request.parameters)) : plain;
  return checkedDeleteOptions(ofBody(request, scope, bytes));
}

const plain: DeleteOptions = { dryRun: false };

function ofBody(request: ApiRequest, scope: ResourceScope, bytes: Uint8Array): RawDeleteOptions {
  const { media } = negotiateBody(request, { types: mediaTypes });
  try {
    if (media === 'protobuf') return protobufObject(DeleteOptionsKind, bytes) as RawDeleteOptions;
    const parsed = media === 'yaml' ? parseJson(writeAny(readYaml(bytes).value)) : parseJson(bytes);
    const { kind, apiVersion } = typeMetaOf(parsed);
    if (kind !== '' && kind !== 'DeleteOptions')
      throw unregistered(kind, apiVersion || scope.kind.apiVersion);
    const options = decode(DeleteOptionsKind.type, parsed).object as RawDeleteOptions;
    noteOptions(request, options);
    return options;
  } catch (failure) {
    if (!(failure instanceof DecodeError)) throw failure;
    throw badRequest(
      failure.problem === 'syntax'
        ? `couldn't get version/kind; json parse error: ${failure.message}`
        : failure.message,
    );
  }
}

/** The original tells them in a version that nobody can send. */
function noteOptions({ audit }: ApiRequest, options: RawDeleteOptions): void {
  audit?.noteOptions(() =>
    encode(DeleteOptionsKind.type, {
      ...options,
      kind: 'DeleteOptions',
      apiVersion: 'meta.k8s.io/__internal',
    } as never),
  );
}

const unregistered = (kind: string, version: string) =>
  badRequest(
    `no kind ${goQuote(kind)} is registered for version ${goQuote(version)} in scheme "pkg/runtime/scheme.go:111"`,
  );

function ofQuery(parameters: URLSearchParams): RawDeleteOptions {
  const gracePeriodSeconds = integerOf(parameters, 'gracePeriodSeconds');
  const orphanDependents = booleanOf(parameters, 'orphanDependents');
  const propagationPolicy = parameters.get('propagationPolicy');
  return {
    ...(gracePeriodSeconds === undefined ? undefined : { gracePeriodSeconds }),
    ...(orphanDependents === undefined ? undefined : { orphanDependents }),
    ...(propagationPolicy === null ? undefined : { propagationPolicy }),
    dryRun: parameters.getAll('dryRun'),
  };
}

const policies = ['Foreground', 'Background', 'Orphan'];

/** @throws StatusError 422 */
export function checkedDeleteOptions(raw: RawDeleteOptions): DeleteOptions {
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
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  return {
    ...(raw.gracePeriodSeconds === undefined ? undefined : { gracePeriodSeconds: raw.gracePeriodSeconds }),
    ...(raw.preconditions === undefined ? undefined : { preconditions: raw.preconditions }),
    ...(orphanDependents === undefined ? undefined : { orphanDependents }),
    ...(policy === undefined ? undefined : { propagationPolicy: policy as PropagationPolicy }),
    dryRun: (raw.dryRun ?? []).length > 0,
  };
}
