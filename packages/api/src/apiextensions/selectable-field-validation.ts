import type { FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../meta/checks.ts';
import { resolveField } from './field-reference.ts';
import type { Schema } from './schema-tree.ts';
import { unstructuralReason } from './structural-validation.ts';
import type { SelectableField } from './v1/custom-resource-definition-spec.ts';

const fieldsMax = 8;
const selectableTypes = ['string', 'boolean', 'integer'];

/** More fields than the limit are accepted if they are already stored (`isKept`). */
export function validateSelectableFields(
  fields: readonly SelectableField[],
  schema: Schema | undefined,
  isKept: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  if (schema === undefined) {
    errors.invalid(path, '', 'may only be set when validations.schema is included');
    return;
  }
  if (unstructuralReason(schema) !== undefined) return;
  const seen = new Set<string>();
  for (const [index, { jsonPath = '' }] of fields.entries()) {
    const at = path.index(index).child('jsonPath');
    if (jsonPath === '') {
      errors.required(at);
      continue;
    }
    const field = resolveField(jsonPath, schema, false);
    if (typeof field === 'string') {
      errors.invalid(at, jsonPath, `is an invalid path: ${field}`);
      continue;
    }
    if (field.root === 'metadata') {
      errors.invalid(at, jsonPath, 'must not point to fields in metadata');
    }
    if (!selectableTypes.includes(field.schema?.type ?? '')) {
      const detail =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.invalid(at, jsonPath, detail);
    }
    if (seen.has(field.path)) errors.duplicate(at, jsonPath);
    seen.add(field.path);
  }
  if (seen.size > fieldsMax && !isKept) errors.tooMany(path, seen.size, fieldsMax);
}
