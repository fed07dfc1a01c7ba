import { byteLength, checkDnsLabel, type FieldError, type FieldPath } from '@coxswain/apimachinery';
import { check, immutable, pathOf, Errors } from '../../meta/checks.ts';
import { validateDomainPrefixedPath } from '../../meta/domain-prefixed-path.ts';
import type { SpecObject } from '../../meta/kind-object.ts';
import {
  subdomainName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../meta/object-meta-validation.ts';
import type { IngressClassParametersReference, IngressClassSpec } from './ingress-class-spec.ts';
import { validateParameters } from './ingress-validation.ts';

type Class = SpecObject<IngressClassSpec>;

const controllerLengthMax = 250;

export function validateIngressClass({ metadata, spec }: Class, old: Class | undefined): FieldError[] {
  const errors = new Errors();
  const path = pathOf('spec', 'controller');
  const { controller = '', parameters } = spec;
  if (old !== undefined) {
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    immutable(controller, old.spec.controller ?? '', path, errors);
  }
  validateObjectMeta(metadata, { namespaced: false, name: subdomainName }, errors);
  if (byteLength(controller) > controllerLengthMax) errors.tooLong(path, controllerLengthMax);
  validateDomainPrefixedPath(controller, path, errors);
  if (parameters != null) validateReference(parameters, pathOf('spec', 'parameters'), errors);
  return errors;
}

function validateReference(
  reference: IngressClassParametersReference,
  path: FieldPath,
  errors: Errors,
): void {
  validateParameters(reference, path, errors);
  const { scope, namespace } = reference;
  const at = path.child('namespace');
  if (scope == null) errors.required(path.child('scope'));
  else if (scope === 'Namespace') {
    if (namespace == null) errors.required(at, "`parameters.scope` is set to 'Namespace'");
    else check(namespace, at, checkDnsLabel, errors);
  } else if (scope !== 'Cluster') {
    errors.notSupported(path.child('scope'), scope, ['Cluster', 'Namespace']);
  } else if (namespace != null) {
    errors.forbidden(at, "`parameters.scope` is set to 'Cluster'");
  }
}
