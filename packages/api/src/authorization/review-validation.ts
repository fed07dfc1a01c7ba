/** Validates access reviews. */

import {
  goJson,
  PrintedValue,
  validateLabelRequirement,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { ObjectMeta } from '@coxswain/schema';
import { pathOf, Errors } from '../meta/checks.ts';
import type { SpecObject } from '../meta/kind-object.ts';

interface Requirement {
  key: string;
  operator: string;
  values?: string[] | null;
}

interface Selection {
  rawSelector?: string;
  requirements?: Requirement[] | null;
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
  const errors = new Errors();
  validateSpec(spec, true, errors);
  validateEmpty(metadata, [], 'must be empty', errors);
  return errors;
}

export function validateSelfReview({ metadata, spec }: Review): FieldError[] {
  const errors = new Errors();
  validateSpec(spec, false, errors);
  validateEmpty(metadata, [], 'must be empty', errors);
  return errors;
}

export function validateLocalReview({ metadata, spec }: Review): FieldError[] {
  const errors = new Errors();
  validateSpec(spec, true, errors);
  validateEmpty(metadata, ['namespace'], 'must be empty except for namespace', errors);
  const namespace = spec.resourceAttributes?.namespace ?? '';
  if (spec.resourceAttributes != null && namespace !== (metadata.namespace ?? '')) {
    const at = 'spec.resourceAttributes.namespace';
    errors.invalid(at, namespace, 'must match metadata.namespace');
  }
  if (spec.nonResourceAttributes != null) {
    const detail = 'disallowed on this kind of request';
    errors.invalid('spec.nonResourceAttributes', printed(spec.nonResourceAttributes), detail);
  }
  return errors;
}

const printed = ({ path = '', verb = '' }: NonNullable<ReviewSpec['nonResourceAttributes']>): PrintedValue =>
  new PrintedValue(goJson({ Path: path, Verb: verb }));

function validateSpec(spec: ReviewSpec, asksForSomebody: boolean, errors: Errors): void {
  const { resourceAttributes: resource, nonResourceAttributes: other } = spec;
  if (resource != null && other != null) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    errors.invalid(specPath.child('nonResourceAttributes'), printed(other), detail);
  }
  if (resource == null && other == null) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.invalid(specPath.child('resourceAttributes'), null, detail);
  }
  if (asksForSomebody && !spec.user && (spec.groups ?? []).length === 0) {
    const detail = 'at least one of user or group must be specified';
    errors.invalid(specPath.child('user'), spec.user ?? '', detail);
  }
  for (const [name, validateRequirement] of selectors) {
    const selection = resource?.[name];
    if (selection == null) continue;
    const path = pathOf('spec.resourceAttributes', name);
    validateSelection(selection, path, errors);
    for (const [index, requirement] of (selection.requirements ?? []).entries()) {
      errors.push(...validateRequirement(requirement, path.child('requirements').index(index)));
    }
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
    errors.invalid(path.child('rawSelector'), rawSelector, detail);
  }
  if (rawSelector === '' && count === 0) {
    const detail = `when ${path} is specified, requirements or rawSelector is required`;
    errors.required(path.child('requirements'), detail);
  }
}

/** Operators that only newer clients know are accepted: they make the request broader. */
const selectors = [
  ['fieldSelector', validateFieldRequirement],
  [
    'labelSelector',
    (requirement: Requirement, path: FieldPath) =>
      validateLabelRequirement({ ...requirement, values: requirement.values ?? [] }, path, {
        allowUnknownOperators: true,
      }),
  ],
] as const;

function validateFieldRequirement({ key, operator, values }: Requirement, path: FieldPath): FieldError[] {
  const count = (values ?? []).length;
  const errors = new Errors();
  if (!key) errors.required(path.child('key'), 'must be specified');
  if ((operator === 'In' || operator === 'NotIn') && count === 0) {
    const detail = "must be specified when `operator` is 'In' or 'NotIn'";
    errors.required(path.child('values'), detail);
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && count > 0) {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    errors.forbidden(path.child('values'), detail);
  }
  return errors;
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
  if (names.length > 0) errors.invalid('metadata', inFieldOrder(metadata!), detail);
}

/** As a message prints it, including the fields that the server has set. */
const inFieldOrder = (metadata: ObjectMeta): object =>
  Object.fromEntries(
    Object.keys(ObjectMeta.fields).flatMap((name) => {
      const value = metadata[name as keyof ObjectMeta];
      return value === undefined ? [] : [[name, value]];
    }),
  );
