/** ClusterTrustBundles. Their certificates are not looked at. */

import type { FieldError } from '@coxswain/apimachinery';
import { immutable, pathOf } from '../meta/checks.ts';
import type { Errors } from '../meta/checks.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../meta/object-meta-validation.ts';
import { trustBundleNameOf, validateSignerName } from './signer-name.ts';

type Bundle = SpecObject<{ signerName?: string }>;

export function validateTrustBundle({ metadata, spec }: Bundle, old: Bundle | undefined): FieldError[] {
  const errors: Errors = [];
  const signerName = spec.signerName ?? '';
  const path = pathOf('spec', 'signerName');
  validateObjectMeta(metadata, { namespaced: false, name: trustBundleNameOf(signerName) }, errors);
  if (signerName !== '') validateSignerName(signerName, path, errors);
  if (old === undefined) return errors;
  validateObjectMetaUpdate(metadata, old.metadata, errors);
  immutable(signerName, old.spec.signerName ?? '', path, errors);
  return errors;
}
