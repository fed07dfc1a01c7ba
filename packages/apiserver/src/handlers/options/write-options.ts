/** CreateOptions, UpdateOptions and PatchOptions, from the query. */
import { invalid } from '@coxswain/apimachinery/errors.ts';
import {
  forbiddenError,
  notSupportedError,
  requiredError,
  type FieldError,
} from '@coxswain/apimachinery/field-error.ts';
import { fieldManagerErrors, fieldManagerLengthMax } from '@coxswain/apimachinery/field-manager-checks.ts';
import { isPrintable } from '@coxswain/apimachinery/go-quote.ts';
import type { ApiRequest } from '../../http/api-request.ts';
import type { FieldValidation, PatchOptions, WriteOptions } from '../../rest/options.ts';
import { booleanOf, textOf } from './parameter.ts';

/** The options of a write without a query. */
const plain: WriteOptions = { dryRun: false, fieldManager: '', fieldValidation: 'Warn' };
const plainPatch: PatchOptions = { ...plain, force: undefined };

/** @throws StatusError 422 */
export function writeOptionsOf(request: ApiRequest, kind: 'CreateOptions' | 'UpdateOptions'): WriteOptions {
  if (!request.hasQuery) return plain;
  const { parameters } = request;
  refuse(kind, writeErrors(parameters));
  return parsed(parameters);
}

/** @throws StatusError 422 */
export function patchOptionsOf(request: ApiRequest, isApply: boolean): PatchOptions {
  if (!request.hasQuery && !isApply) return plainPatch;
  const { parameters } = request;
  const force = booleanOf(parameters, 'force');
  const errors: FieldError[] = [];
  if (isApply && textOf(parameters, 'fieldManager') === '') {
    errors.push(requiredError('fieldManager', 'is required for apply patch'));
  }
  if (!isApply && force !== undefined) {
    errors.push(forbiddenError('force', 'may not be specified for non-apply patch'));
  }
  refuse('PatchOptions', [...errors, ...writeErrors(parameters)]);
  return { ...parsed(parameters), force };
}

const parsed = (parameters: URLSearchParams): WriteOptions => ({
  dryRun: parameters.has('dryRun'),
  fieldManager: textOf(parameters, 'fieldManager'),
  fieldValidation: (textOf(parameters, 'fieldValidation') || 'Warn') as FieldValidation,
});

const fieldValidations = ['', 'Ignore', 'Strict', 'Warn'];

function writeErrors(parameters: URLSearchParams): readonly FieldError[] {
  const validation = textOf(parameters, 'fieldValidation');
  return [
    ...fieldManagerErrors(textOf(parameters, 'fieldManager'), 'fieldManager'),
    ...dryRunErrors(parameters.getAll('dryRun')),
    ...(fieldValidations.includes(validation)
      ? []
      : [notSupportedError('fieldValidation', validation, fieldValidations)]),
  ];
}

export const dryRunErrors = (values: readonly string[]): readonly FieldError[] =>
  values.every((value) => value === 'All') ? [] : [notSupportedError('dryRun', values, ['All'])];

function refuse(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
}

/** An agent without characters to remove: the usual case. */
const plainAgent = /^[ -~]{0,128}$/;

/** The name of the field manager: the client's `fieldManager`, or the first part of its User-Agent. */
export function managerOf(request: ApiRequest, { fieldManager }: WriteOptions): string {
  if (fieldManager !== '') return fieldManager;
  const agent = (request.header('user-agent') ?? '').split('/')[0]!;
  if (plainAgent.test(agent)) return agent;
  let manager = '';
  let bytes = 0;
  for (const character of agent) {
    if (!isPrintable(character)) continue;
    bytes += new TextEncoder().encode(character).length;
    if (bytes > fieldManagerLengthMax) break;
    manager += character;
  }
  return manager;
}
