/** Validates requests and limits of containers and pods. */

import {
  checkDnsLabel,
  checkQualifiedName,
  compareQuantities,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  referencedText,
  type FieldError,
  type FieldPath,
  type Quantity,
} from '@coxswain/apimachinery';
import { check, notIntegerMessage, notNegativeQuantity, type Errors } from '../../../meta/checks.ts';
import {
  isHugePages,
  isNativeResource,
  isOvercommitAllowed,
  isPodLevelResource,
  type ResourceList,
} from '../resource-list.ts';
import type { ResourceClaim, ResourceRequirements } from '../resource-requirements.ts';

export type ResourceNameCheck = (name: string, path: FieldPath, errors: Errors) => void;

/** The names of the pod's claims; undefined if there can be none. */
export type ClaimNames = ReadonlySet<string>;

export function validateRequirements(
  requirements: ResourceRequirements | undefined,
  validateName: ResourceNameCheck,
  claimNames: ClaimNames,
  allowIndivisibleHugePages: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  if (requirements == null) return;
  const { limits, requests } = requirements;
  const validateAmount = (name: string, text: string, amountPath: FieldPath): void => {
    validateName(name, amountPath, errors);
    validateResourceQuantity(name, text, amountPath, errors);
  };
  for (const name of sortedKeys(limits)) {
    const amountPath = path.child('limits').key(name);
    validateAmount(name, limits![name]!, amountPath);
    if (isHugePages(name)) wholePages(name, limits![name]!, allowIndivisibleHugePages, amountPath, errors);
  }
  for (const name of sortedKeys(requests)) {
    const amountPath = path.child('requests').key(name);
    validateAmount(name, requests![name]!, amountPath);
    validateAgainstLimit(name, requests![name]!, limits?.[name], path, errors);
    if (isHugePages(name)) wholePages(name, requests![name]!, allowIndivisibleHugePages, amountPath, errors);
  }
  const named = (test: (name: string) => boolean): boolean =>
    sortedKeys(limits).some(test) || sortedKeys(requests).some(test);
  if (named(isHugePages) && !named((name) => name === 'cpu' || name === 'memory')) {
    errors.forbidden(path, 'HugePages require cpu or memory');
  }
  validateClaims(requirements.claims ?? [], claimNames, path, errors);
}

const sortedKeys = (list: ResourceList | undefined): readonly string[] => {
  const keys = Object.keys(list ?? {});
  return keys.length > 1 ? keys.sort() : keys;
};

function validateAgainstLimit(
  name: string,
  request: string,
  limit: string | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  if (limit === undefined) {
    if (!isOvercommitAllowed(name)) {
      errors.required(path.child('limits'), 'Limit must be set for non overcommitable resources');
    }
    return;
  }
  if (request === limit) return;
  const order = compareQuantities(parseQuantity(request), parseQuantity(limit));
  if (order !== 0 && !isOvercommitAllowed(name)) {
    errors.invalid(path.child('requests'), request, `must be equal to ${name} limit of ${limit}`);
  } else if (order > 0) {
    errors.invalid(
      path.child('requests'),
      request,
      `must be less than or equal to ${name} limit of ${limit}`,
    );
  }
}

/** Huge pages are indivisible; true for anything else. */
export const areWholePages = (name: string, text: string): boolean =>
  !isHugePages(name) || isMultipleOf(parseQuantity(text), name.slice('hugepages-'.length));

function wholePages(name: string, text: string, allowed: boolean, path: FieldPath, errors: Errors): void {
  if (allowed || areWholePages(name, text)) return;
  errors.invalid(path, text, `${text} is not positive integer multiple of ${name}`);
}

function isMultipleOf(amount: Quantity, pageText: string): boolean {
  let page: Quantity;
  try {
    page = parseQuantity(pageText);
  } catch {
    return false;
  }
  if (page.unscaled <= 0n || quantityMilliValue(page) % 1000 !== 0) return false;
  return quantityValue(amount) % quantityValue(page) === 0;
}

/** For a container, or a pod's overhead. */
export function containerResourceName(
  name: string,
  path: FieldPath,
  errors: Errors,
  printed = referencedText(name),
): void {
  if (plainContainerResources.has(name)) return;
  validateResourceName(name, path, errors, printed);
  if (!name.includes('/')) {
    if (!isHugePages(name)) {
      errors.invalid(path, referencedText(name), 'must be a standard resource for containers');
    }
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.invalid(path, referencedText(name), "doesn't follow extended resource name standard");
  }
}

export const podResourceName: ResourceNameCheck = (name, path, errors) => {
  const errorsBefore = errors.length;
  validateResourceName(name, path, errors);
  if (errors.length === errorsBefore && !isPodLevelResource(name)) {
    errors.notSupported(path, name, ['cpu', 'hugepages-', 'memory']);
  }
};

const plainContainerResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

const countedResources = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];

const standardResources: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'storage',
  'requests.storage',
  ...countedResources,
]);

export const isStandardResource = (name: string): boolean =>
  standardResources.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');

export function validateResourceName(
  name: string,
  path: FieldPath,
  errors: Errors,
  printed = referencedText(name),
): void {
  const errorsBefore = errors.length;
  for (const message of checkQualifiedName(name)) errors.invalid(path, printed, message);
  if (errors.length > errorsBefore || name.includes('/') || isStandardResource(name)) return;
  errors.invalid(path, referencedText(name), 'must be a standard resource type or fully qualified');
}

/** `example.com/gpu`: any name outside kubernetes.io for which `requests.<name>` is a valid quota name. */
export const isExtendedResource = (name: string): boolean =>
  !isNativeResource(name) &&
  !name.startsWith('requests.') &&
  checkQualifiedName(`requests.${name}`).length === 0;

export const isIntegerResource = (name: string): boolean =>
  countedResources.includes(name) || isExtendedResource(name);

export function validateResourceQuantity(name: string, text: string, path: FieldPath, errors: Errors): void {
  notNegativeQuantity(text, path, errors);
  if (!isNativeResource(name) || countedResources.includes(name)) {
    if (isIntegerResource(name) && quantityMilliValue(parseQuantity(text)) % 1000 !== 0) {
      errors.invalid(path, text, notIntegerMessage);
    }
  }
}

/** A claim as a whole excludes its individual requests. */
function validateClaims(
  claims: readonly ResourceClaim[],
  claimNames: ClaimNames,
  parent: FieldPath,
  errors: Errors,
): void {
  const used = new Set<string>();
  /** The number of used requests of each claim. */
  const requests = new Map<string, number>();
  for (const [index, { name, request }] of claims.entries()) {
    const path = parent.child('claims').index(index);
    if (!name) {
      errors.required(path);
      continue;
    }
    if (used.has(name)) errors.duplicate(path, name);
    else {
      if (request) check(request, path.child('request'), checkDnsLabel, errors);
      const key = request ? `${name}/${request}` : name;
      if (used.has(key)) errors.duplicate(path, key);
      else if (request) requests.set(name, (requests.get(name) ?? 0) + 1);
      else {
        for (let of = requests.get(name) ?? 0; of > 0; of--) errors.duplicate(path, name);
      }
      used.add(key);
    }
    if (!claimNames.has(name)) errors.push(unknownClaim(name, claimNames, path));
  }
}

const unknownClaim = (name: string, claimNames: ClaimNames, path: FieldPath): FieldError => ({
  type: 'FieldValueNotFound',
  field: path.toString(),
  badValue: name,
  detail: `must be one of the names in pod.spec.resourceClaims${
    claimNames.size === 0 ? ' which is empty' : `: ${[...claimNames].sort().join(', ')}`
  }`,
});
