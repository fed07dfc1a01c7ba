import type { Strategy } from '@coxswain/apiserver';
import type { Namespace } from '@coxswain/api/core/v1/namespace.ts';
import { as, type AnyObject } from '../../any-object.ts';

/** The finalizer that the namespace controller removes when the namespace is empty. */
const kubernetesFinalizer = 'kubernetes';

export const namespaceStrategy: Partial<Strategy<AnyObject>> = {
  returnDeletedObject: true,
  prepareForCreate(object) {
    const namespace = as<Namespace>(object);
    namespace.status = { phase: 'Active' };
    const finalizers = namespace.spec?.finalizers ?? [];
    namespace.spec = {
      ...namespace.spec,
      finalizers: finalizers.includes(kubernetesFinalizer)
        ? finalizers
        : [...finalizers, kubernetesFinalizer],
    };
  },
  prepareForUpdate(object, old) {
    const { finalizers } = as<Namespace>(old).spec;
    const { spec } = as<Namespace>(object);
    if (finalizers === undefined) delete spec.finalizers;
    else spec.finalizers = finalizers;
  },
  shouldDeleteDuringUpdate: (object) =>
    object.metadata.deletionTimestamp !== undefined &&
    !as<Namespace>(object).spec.finalizers?.length &&
    !object.metadata.finalizers?.length,
};
