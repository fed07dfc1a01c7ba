/** Validates Kubernetes' schema extensions for list and map types, and their requirements for items and keys. */

import { invalidError, requiredError, type FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../meta/checks.ts';
import { schemaOf, type Schema } from './schema-tree.ts';

export function validateExtensions(
  schema: Schema,
  items: Schema | undefined,
  requireAtomicSets: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  const type = schema.type ?? '';
  const listType = schema['x-kubernetes-list-type'];
  const mapType = schema['x-kubernetes-map-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    const at = path.child('x-kubernetes-preserve-unknown-fields');
    errors.invalid(at, false, 'must be true or undefined');
  }
  const mustBe = (expected: string, extension: string): void => {
    const detail = `must be ${expected} if ${extension} is specified`;
    const at = path.child('type');
    errors.push(type === '' ? requiredError(at, detail) : invalidError(at, type, detail));
  };
  if (mapType != null) {
    if (type !== 'object') mustBe('object', 'x-kubernetes-map-type');
    if (mapType !== 'atomic' && mapType !== 'granular') {
      const at = path.child('x-kubernetes-map-type');
      errors.notSupported(at, mapType, ['atomic', 'granular']);
    }
  }
  const listPath = path.child('x-kubernetes-list-type');
  if (listType != null) {
    if (type !== 'array') mustBe('array', 'x-kubernetes-list-type');
    else if (requireAtomicSets && listType === 'set' && items !== undefined)
      validateSetItems(items, path.child('items'), errors);
    if (!['atomic', 'set', 'map'].includes(listType)) {
      errors.notSupported(listPath, listType, ['atomic', 'set', 'map']);
    }
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    errors.push(
      listType == null ? requiredError(listPath, detail) : invalidError(listPath, listType, detail),
    );
  }
  if (listType === 'map') validateKeys(schema, items, keys, path, errors);
}

function validateSetItems(items: Schema, path: FieldPath, errors: Errors): void {
  const listType = items['x-kubernetes-list-type'];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  if (items.type === 'array' && listType != null && listType !== 'atomic') {
    errors.invalid(path.child('x-kubernetes-list-type'), listType, detail);
  }
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    errors.invalid(path.child('x-kubernetes-map-type'), listType ?? null, detail);
  }
}

function validateKeys(
  schema: Schema,
  items: Schema | undefined,
  keys: readonly string[],
  path: FieldPath,
  errors: Errors,
): void {
  const keysPath = path.child('x-kubernetes-list-map-keys');
  const itemsPath = path.child('items');
  if (keys.length === 0) {
    errors.required(keysPath, 'must not be empty if x-kubernetes-list-type is map');
  }
  if (schema.items == null) {
    errors.required(itemsPath, 'must have a schema if x-kubernetes-list-type is map');
  }
  if (items === undefined) return;
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.invalid(itemsPath.child('type'), items.type ?? '', detail);
  } else {
    const seen = new Set<string>();
    for (const key of keys) {
      const property = items.properties?.[key];
      if (property === undefined) {
        const detail = 'entries must all be names of item properties';
        errors.invalid(keysPath, keys, detail);
      } else if (property.type === 'array' || property.type === 'object') {
        const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
        const at = itemsPath.child('properties').key(key).child('type');
        errors.invalid(at, items.type, detail);
      }
      if (seen.has(key)) errors.invalid(keysPath, keys, 'must not contain duplicate entries');
      seen.add(key);
    }
  }
}

/** Items and keys must not be nullable or optional, since they identify elements. */
export function validateMapsAndSets(schema: Schema, path: FieldPath, errors: Errors): void {
  const items = schemaOf(schema.items);
  const listType = schema['x-kubernetes-list-type'];
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return;
  const itemsPath = path.child('items');
  if (items.nullable) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.forbidden(itemsPath.child('nullable'), detail);
  }
  if (listType === 'set') return;
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const property = items.properties?.[key];
    if (property === undefined) continue;
    const at = itemsPath.child('properties').key(key);
    const named = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!(items.required ?? []).includes(key) && property.default === undefined) {
      errors.required(at.child('default'), `${named} must have a default or be a required property`);
    }
    if (property.nullable) errors.forbidden(at.child('nullable'), `${named} cannot be nullable`);
  }
}

/** Whether a list of type `set` has items that aren't compared as a whole. */
export function hasLooseSet(schema: Schema): boolean {
  const items = schemaOf(schema.items);
  if (schema['x-kubernetes-list-type'] !== 'set' || items === undefined) return false;
  const listType = items['x-kubernetes-list-type'];
  if (items.type === 'array') return listType != null && listType !== 'atomic';
  return items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic';
}
