/** Validates paths inside volumes and containers: relative, without `..`. */

import type { FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../../../meta/checks.ts';

export function noBacksteps(target: string, path: FieldPath, errors: Errors): void {
  if (target.includes('..') && target.split('/').includes('..')) {
    errors.invalid(path, target, "must not contain '..'");
  }
}

export function localDescendingPath(target: string, path: FieldPath, errors: Errors): void {
  if (target.startsWith('/')) errors.invalid(path, target, 'must be a relative path');
  noBacksteps(target, path, errors);
}

/** Names that begin with `..` are reserved for the atomic writer of volumes. */
export function localNonReservedPath(target: string, path: FieldPath, errors: Errors): void {
  localDescendingPath(target, path, errors);
  if (target.startsWith('..') && !target.startsWith('../')) {
    errors.invalid(path, target, "must not start with '..'");
  }
}

export function fileMode(
  mode: number | null | undefined,
  parent: FieldPath,
  name: string,
  errors: Errors,
): void {
  if (mode != null && (mode < 0 || mode > 0o777)) {
    errors.invalid(parent.child(name), mode, 'must be a number between 0 and 0777 (octal), both inclusive');
  }
}
