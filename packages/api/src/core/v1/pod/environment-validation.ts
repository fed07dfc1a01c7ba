/** Validates environment variables of containers and their sources. */

import {
  checkConfigMapKey,
  checkDnsLabel,
  checkDnsSubdomain,
  checkRelaxedEnvVarName,
  invalidError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { check, type Errors } from '../../../meta/checks.ts';
import { subdomainName } from '../../../meta/object-meta-validation.ts';
import {
  environmentFields,
  validateFieldSelector,
  validateResourceFieldSelector,
} from './downward-api-validation.ts';
import type { EnvFromSource, EnvVar, EnvVarSource, FileKeySelector } from '../env-var.ts';
import { noBacksteps } from './path-validation.ts';

export function validateEnvironment(variables: readonly EnvVar[], path: FieldPath, errors: Errors): void {
  for (let index = 0; index < variables.length; index++) {
    const variable = variables[index]!;
    if (!variable.name) errors.required(path.index(index).child('name'));
    else check(variable.name, path.index(index).child('name'), checkRelaxedEnvVarName, errors);
    if (variable.valueFrom != null) {
      validateValueFrom(
        variable.valueFrom,
        variable.value ?? '',
        path.index(index).child('valueFrom'),
        errors,
      );
    }
  }
}

function validateValueFrom(source: EnvVarSource, value: string, path: FieldPath, errors: Errors): void {
  let count = 0;
  if (source.fieldRef != null) {
    count++;
    validateFieldSelector(source.fieldRef, environmentFields, path.child('fieldRef'), errors);
  }
  if (source.resourceFieldRef != null) {
    count++;
    validateResourceFieldSelector(source.resourceFieldRef, false, path.child('resourceFieldRef'), errors);
  }
  if (source.configMapKeyRef != null) {
    count++;
    validateKeySelector(source.configMapKeyRef, path.child('configMapKeyRef'), errors);
  }
  if (source.secretKeyRef != null) {
    count++;
    validateKeySelector(source.secretKeyRef, path.child('secretKeyRef'), errors);
  }
  if (source.fileKeyRef != null) {
    count++;
    validateFileKey(source.fileKeyRef, path.child('fileKeyRef'), errors);
  }
  if (count === 0) {
    const one = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`';
    errors.push(
      { ...invalidError(path, '', `${one}, \`secretKeyRef\` or \`fileKeyRef\``), gate: 'EnvFiles' },
      { ...invalidError(path, '', `${one} or \`secretKeyRef\``), unless: 'EnvFiles' },
    );
  } else if (value !== '') {
    errors.invalid(path, '', 'may not be specified when `value` is not empty');
  } else if (count > 1) {
    errors.invalid(path, '', 'may not have more than one field specified at a time');
  }
}

function validateKeySelector(
  selector: { name?: string; key: string },
  path: FieldPath,
  errors: Errors,
): void {
  check(selector.name ?? '', path.child('name'), checkDnsSubdomain, errors);
  if (!selector.key) errors.required(path.child('key'));
  else check(selector.key, path.child('key'), checkConfigMapKey, errors);
}

function validateFileKey(selector: FileKeySelector, path: FieldPath, errors: Errors): void {
  if (!selector.key) errors.required(path.child('key'));
  else check(selector.key, path.child('key'), checkRelaxedEnvVarName, errors);
  if (!selector.volumeName) errors.required(path.child('volumeName'));
  else check(selector.volumeName, path.child('volumeName'), checkDnsLabel, errors);
  if (!selector.path) errors.required(path.child('path'));
  else noBacksteps(selector.path, path.child('path'), errors);
}

/** Errors about the number of sources have the path of the list, not the item, as upstream. */
export function validateEnvironmentFrom(
  sources: readonly EnvFromSource[],
  path: FieldPath,
  errors: Errors,
): void {
  for (const [index, source] of sources.entries()) {
    const at = path.index(index);
    if (source.prefix) check(source.prefix, at.child('prefix'), checkRelaxedEnvVarName, errors);
    if (source.configMapRef != null) validateReference(source.configMapRef, at.child('configMapRef'), errors);
    if (source.secretRef != null) validateReference(source.secretRef, at.child('secretRef'), errors);
    if (source.configMapRef == null && source.secretRef == null) {
      errors.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`');
    } else if (source.configMapRef != null && source.secretRef != null) {
      errors.invalid(path, '', 'may not have more than one field specified at a time');
    }
  }
}

function validateReference({ name }: { name?: string }, path: FieldPath, errors: Errors): void {
  if (!name) errors.required(path.child('name'));
  else check(name, path.child('name'), (text) => subdomainName(text, true), errors);
}
