import { invalidError, type FieldError } from '@coxswain/apimachinery/field-error.ts';
import { FieldPath } from '@coxswain/apimachinery/field-path.ts';
import { checkQualifiedName } from '@coxswain/apimachinery/names.ts';
import { isExtendedResource } from '@coxswain/api/core/v1/pod/resource-validation.ts';
import type { ExtenderConfiguration } from '../configuration.ts';

export function validateExtenders(extenders: readonly ExtenderConfiguration[]): readonly FieldError[] {
  const path = FieldPath.of('extenders');
  const managed = new Set<string>();
  const errors = extenders.flatMap(({ prioritizeVerb, weight = 0, managedResources = [] }, at) => [
    ...(prioritizeVerb && weight <= 0
      ? [invalidError(path.index(at).child('weight'), weight, 'must have a positive weight applied to it')]
      : []),
    ...managedResources.flatMap(({ name }, index) => {
      const place = path.index(at).child('managedResources').index(index).child('name');
      const isKnown = managed.has(name);
      managed.add(name);
      return [
        ...nameErrors(name, place),
        ...(isKnown ? [invalidError(place, name, 'duplicate extender managed resource name')] : []),
      ];
    }),
  ]);
  const binders = extenders.filter(({ bindVerb }) => bindVerb).length;
  if (binders > 1) {
    const found = `found ${binders} extenders implementing bind`;
    errors.push(invalidError(path, found, 'only one extender can implement bind'));
  }
  return errors;
}

function nameErrors(name: string, path: FieldPath): readonly FieldError[] {
  const problems = checkQualifiedName(name);
  if (problems.length === 0 && !isExtendedResource(name))
    return [invalidError(path, name, 'is an invalid extended resource name')];
  return problems.map((problem) => invalidError(path, name, problem));
}
