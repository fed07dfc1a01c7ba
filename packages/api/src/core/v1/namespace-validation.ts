import { checkQualifiedName, convertedText, type FieldError } from '@coxswain/apimachinery';
import { checkConverted, pathOf, Errors } from '../../meta/checks.ts';
import type { StatusObject } from '../../meta/kind-object.ts';
import { labelName, validateMeta, validateObjectMetaUpdate } from '../../meta/object-meta-validation.ts';

type NamespaceObject = StatusObject<{ finalizers?: string[] }, { phase?: string }>;

const finalizersPath = pathOf('spec', 'finalizers');

export function validateNamespace(
  namespace: NamespaceObject,
  old: NamespaceObject | undefined,
): FieldError[] {
  const errors = new Errors();
  validateMeta(namespace.metadata, old?.metadata, { namespaced: false, name: labelName }, errors);
  if (old === undefined) {
    for (const name of namespace.spec.finalizers ?? []) validateFinalizer(name, finalizersPath, errors);
  }
  return errors;
}

/** For a write to `/finalize`. */
export function validateFinalize(namespace: NamespaceObject, old: NamespaceObject): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(namespace.metadata, old.metadata, errors);
  for (const [index, name] of (namespace.spec.finalizers ?? []).entries()) {
    validateFinalizer(name, finalizersPath.index(index), errors);
  }
  return errors;
}

export function validateNamespaceStatus(namespace: NamespaceObject, old: NamespaceObject): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(namespace.metadata, old.metadata, errors);
  const phase = namespace.status.phase ?? '';
  const isDeleted = namespace.metadata.deletionTimestamp != null;
  if (phase !== (isDeleted ? 'Terminating' : 'Active')) {
    errors.invalid(
      pathOf('status', 'Phase'),
      phase,
      isDeleted
        ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
        : "may only be 'Active' if `deletionTimestamp` is empty",
    );
  }
  return errors;
}

function validateFinalizer(name: string, path: ReturnType<typeof pathOf>, errors: Errors): void {
  checkConverted(name, path, checkQualifiedName, errors);
  if (!name.includes('/') && !['kubernetes', 'orphan', 'foregroundDeletion'].includes(name)) {
    errors.invalid(
      path,
      convertedText(name),
      'name is neither a standard finalizer name nor is it fully qualified',
    );
  }
}
