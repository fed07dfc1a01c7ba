import { checkLabelValue, checkQualifiedName, duplicateError, type FieldPath } from '@coxswain/apimachinery';
import { check, type Errors } from '../../../meta/checks.ts';
import { goStruct } from '../../../meta/go-struct.ts';
import { validateTaintEffect } from '../pod/scheduling-validation.ts';
import { Taint } from '../taint.ts';

/** The path starts with metadata, since they used to be an annotation. */
export function validateTaints(taints: readonly Taint[], parent: FieldPath, errors: Errors): void {
  const unique = new Set<string>();
  for (const [index, taint] of taints.entries()) {
    const path = parent.index(index);
    check(taint.key ?? '', path.child('key'), checkQualifiedName, errors);
    const messages = checkLabelValue(taint.value ?? '');
    if (messages.length > 0) errors.invalid(path.child('value'), taint.value, messages.join(';'));
    if (!taint.effect) errors.required(path.child('effect'));
    else validateTaintEffect(taint.effect, path.child('effect'), errors);
    const key = `${taint.key} ${taint.effect}`;
    if (unique.has(key)) {
      errors.push({
        ...duplicateError(path, goStruct(Taint, taint)),
        detail: 'taints must be unique by key and effect pair',
      });
    }
    unique.add(key);
  }
}
