import { checkLongName, semanticDeepEqual, type FieldError } from '@coxswain/apimachinery';
import { isExtendedResource } from '../core/v1/pod/resource-validation.ts';
import { pathOf, Errors } from '../meta/checks.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import {
  validateObjectMeta,
  validateObjectMetaUpdate,
  type NameRule,
} from '../meta/object-meta-validation.ts';
import { validateEach } from './list-validation.ts';
import { listMax, validateConfiguration } from './request-validation.ts';
import { validateSelectors } from './selector-validation.ts';
import type { DeviceClassSpec } from './v1/device-class-spec.ts';

type Class = SpecObject<DeviceClassSpec>;

const specPath = pathOf('spec');

/** Prefixes are not validated. */
const className: NameRule = (name, isPrefix) => (isPrefix ? [] : checkLongName(name));

export function validateDeviceClass({ metadata, spec }: Class, old: Class | undefined): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(metadata, { namespaced: false, name: className }, errors);
  if (old !== undefined) validateObjectMetaUpdate(metadata, old.metadata, errors);
  validateSelectors(spec.selectors, specPath.child('selectors'), errors);
  const isStored = old !== undefined && semanticDeepEqual(spec.config, old.spec.config);
  validateEach(spec.config, listMax, specPath.child('config'), errors, (config, path) =>
    validateConfiguration(config, isStored, path, errors),
  );
  const name = spec.extendedResourceName;
  if (name != null && !isExtendedResource(name)) {
    const detail = 'must be a valid extended resource name';
    errors.invalid(specPath.child('extendedResourceName'), name, detail);
  }
  return errors;
}
