/** Validates scales and printer columns, which refer to fields by simple paths. */

import type { FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../meta/checks.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceSubresources,
} from './v1/custom-resource-definition-spec.ts';

const replicasPaths = [
  ['specReplicasPath', '.spec.', 'should be a json path under .spec'],
  ['statusReplicasPath', '.status.', 'should be a json path under .status'],
] as const;
const notSimple = 'must be a simple json path starting with .';

export function validateSubresources(
  { scale }: CustomResourceSubresources,
  path: FieldPath,
  errors: Errors,
): void {
  if (scale == null) return;
  for (const [name, prefix, detail] of replicasPaths) {
    const at = path.child(`scale.${name}`);
    const value = scale[name];
    if (!value) errors.required(at);
    else if (!value.startsWith('.')) errors.invalid(at, value, notSimple);
    else if (!value.startsWith(prefix)) errors.invalid(at, value, detail);
  }
  const selector = scale.labelSelectorPath;
  if (!selector) return;
  const at = path.child('scale.labelSelectorPath');
  if (!selector.startsWith('.')) errors.invalid(at, selector, notSimple);
  else if (!selector.startsWith('.spec.') && !selector.startsWith('.status.')) {
    errors.invalid(at, selector, 'should be a json path under either .spec or .status');
  }
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];

export function validateColumn(
  column: CustomResourceColumnDefinition,
  path: FieldPath,
  errors: Errors,
): void {
  const oneOf = (values: readonly string[]): string => `must be one of ${values.join(',')}`;
  if (!column.name) errors.required(path.child('name'));
  if (!column.type) errors.required(path.child('type'), oneOf(columnTypes));
  else if (!columnTypes.includes(column.type)) {
    errors.invalid(path.child('type'), column.type, oneOf(columnTypes));
  }
  if (column.format && !columnFormats.includes(column.format)) {
    errors.invalid(path.child('format'), column.format, oneOf(columnFormats));
  }
  if (!column.jsonPath) errors.required(path.child('JSONPath'));
  else if (!column.jsonPath.startsWith('.')) {
    errors.invalid(path.child('JSONPath'), column.jsonPath, notSimple);
  }
}
