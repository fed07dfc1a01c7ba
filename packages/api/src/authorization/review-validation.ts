/** What a question about access must say. */

import { goJson, invalidError, PrintedValue, requiredError } from '@coxswain/apimachinery';
import type { FieldError, FieldPath } from '@coxswain/apimachinery';
import type { ObjectMeta } from '@coxswain/schema';
import { pathOf } from '../meta/checks.ts';
import type { Errors } from '../meta/checks.ts';
import type { SpecObject } from '../meta/kind-object.ts';

interface Selection {
  rawSelector?: string;
  requirements?: unknown[];
}

interface ReviewSpec {
  resourceAttributes?: {
    namespace?: string;
    fieldSelector?: Selection | null;
    labelSelector?: Selection | null;
  } | null;
  nonResourceAttributes?: { path?: string; verb?: string } | null;
  user?: string;
  groups?: string[];
}

type Review = SpecObject<ReviewSpec>;

const specPath = pathOf('spec');

export function validateReview({ metadata, spec }: Review): FieldError[] {
  const errors: Errors = [];
  validateSpec(spec, true, errors);
  validateEmpty(metadata, [], 'must be empty', errors);
  return errors;
}

export function validateSelfReview({ metadata, spec }: Review): FieldError[] {
  const errors: Errors = [];
  validateSpec(spec, false, errors);
  validateEmpty(metadata, [], 'must be empty', errors);
  return errors;
}

export function validateLocalReview({ metadata, spec }: Review): FieldError[] {
  const errors: Errors = [];
  validateSpec(spec, true, errors);
  validateEmpty(metadata, ['namespace'], 'must be empty except for namespace', errors);
  const namespace = spec.resourceAttributes?.namespace ?? '';
  if (spec.resourceAttributes != null && namespace !== (metadata.namespace ?? '')) {
    const at = 'spec.resourceAttributes.namespace';
    errors.push(invalidError(at, namespace, 'must match metadata.namespace'));
  }
  if (spec.nonResourceAttributes != null) {
    const detail = 'disallowed on this kind of request';
    errors.push(invalidError('spec.nonResourceAttributes', printed(spec.nonResourceAttributes), detail));
  }
  return errors;
}

const printed = ({ path = '', verb = '' }: NonNullable<ReviewSpec['nonResourceAttributes']>): PrintedValue =>
  new PrintedValue(goJson({ Path: path, Verb: verb }));

function validateSpec(spec: ReviewSpec, asksForSomebody: boolean, errors: Errors): void {
  const { resourceAttributes: resource, nonResourceAttributes: other } = spec;
  if (resource != null && other != null) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    errors.push(invalidError(specPath.child('nonResourceAttributes'), printed(other), detail));
  }
  if (resource == null && other == null) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(invalidError(specPath.child('resourceAttributes'), null, detail));
  }
  if (asksForSomebody && !spec.user && (spec.groups ?? []).length === 0) {
    const detail = 'at least one of user or group must be specified';
    errors.push(invalidError(specPath.child('user'), spec.user ?? '', detail));
  }
  for (const name of ['fieldSelector', 'labelSelector'] as const) {
    const selection = resource?.[name];
    if (selection != null) validateSelection(selection, pathOf('spec.resourceAttributes', name), errors);
  }
}

function validateSelection(
  { rawSelector = '', requirements }: Selection,
  path: FieldPath,
  errors: Errors,
): void {
  const count = (requirements ?? []).length;
  if (rawSelector !== '' && count > 0) {
    const detail = 'may not specified at the same time as requirements';
    errors.push(invalidError(path.child('rawSelector'), rawSelector, detail));
  }
  if (rawSelector === '' && count === 0) {
    const detail = `when ${path} is specified, requirements or rawSelector is required`;
    errors.push(requiredError(path.child('requirements'), detail));
  }
}

function validateEmpty(
  metadata: ObjectMeta | undefined,
  allowed: readonly string[],
  detail: string,
  errors: Errors,
): void {
  const names = Object.entries(metadata ?? {}).filter(
    ([name, value]) => name !== 'managedFields' && !allowed.includes(name) && value,
  );
  if (names.length > 0) errors.push(invalidError('metadata', metadata, detail));
}
