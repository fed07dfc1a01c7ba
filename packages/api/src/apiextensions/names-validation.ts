import { checkDns1035Label, type FieldPath } from '@coxswain/apimachinery';
import type { Errors } from '../meta/checks.ts';
import type { CustomResourceDefinitionNames } from './v1/custom-resource-definition-spec.ts';

export function validateRequiredNames(
  names: CustomResourceDefinitionNames,
  path: FieldPath,
  errors: Errors,
): void {
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!names[name]) errors.required(path.child(name));
  }
}

export function validateNames(names: CustomResourceDefinitionNames, path: FieldPath, errors: Errors): void {
  const label = (value: string, at: FieldPath): void => {
    const messages = checkDns1035Label(value);
    if (messages.length > 0) errors.invalid(at, value, messages.join(','));
  };
  for (const name of ['plural', 'singular'] as const) if (names[name]) label(names[name], path.child(name));
  for (const name of ['kind', 'listKind'] as const) {
    const value = names[name];
    const messages = value ? checkDns1035Label(value.toLowerCase()) : [];
    if (messages.length === 0) continue;
    const detail = `may have mixed case, but should otherwise match: ${messages.join(',')}`;
    errors.invalid(path.child(name), value, detail);
  }
  for (const [index, name] of (names.shortNames ?? []).entries()) {
    label(name, path.child('shortNames').index(index));
  }
  if (names.kind && names.kind === names.listKind) {
    const detail = 'kind and listKind may not be the same';
    errors.invalid(path.child('listKind'), names.listKind, detail);
  }
  for (const [index, category] of (names.categories ?? []).entries()) {
    label(category, path.child('categories').index(index));
  }
}
