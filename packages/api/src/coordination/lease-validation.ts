import {
  checkConfigMapKey,
  checkQualifiedName,
  type FieldError,
  referencedText,
} from '@coxswain/apimachinery';
import { check, immutable, negativeMessage, pathOf, Errors } from '../meta/checks.ts';
import type { SpecObject } from '../meta/kind-object.ts';
import { subdomainName, validateMeta } from '../meta/object-meta-validation.ts';
import type { LeaseSpec } from './v1/lease-spec.ts';

type LeaseObject = SpecObject<LeaseSpec>;

const specPath = pathOf('spec');
const strategies = ['OldestEmulationVersion'];

export function validateLease(
  { metadata, spec = {} }: LeaseObject,
  old: LeaseObject | undefined,
): FieldError[] {
  const errors = new Errors();
  const rules = { namespaced: true, name: subdomainName, coreFinalizers: false };
  validateMeta(metadata, old?.metadata, rules, errors);
  const { leaseDurationSeconds: duration, leaseTransitions: transitions, strategy } = spec;
  if (duration != null && duration <= 0) {
    errors.invalid(specPath.child('leaseDurationSeconds'), duration, 'must be greater than 0');
  }
  if (transitions != null && transitions < 0) {
    errors.invalid(specPath.child('leaseTransitions'), transitions, negativeMessage);
  }
  if (strategy != null) validateStrategy(strategy, errors);
  if (spec.preferredHolder && !strategy) {
    const detail = 'may only be specified if `strategy` is defined';
    errors.forbidden(specPath.child('preferredHolder'), detail);
  }
  return errors;
}

/** Upstream's message has the field twice. */
function validateStrategy(strategy: string, errors: Errors): void {
  const path = specPath.child('strategy', 'strategy');
  if (strategy.includes('/')) check(strategy, path, checkQualifiedName, errors);
  else if (!strategies.includes(strategy)) errors.notSupported(path, referencedText(strategy), strategies);
}

interface CandidateSpec {
  leaseName?: string;
  binaryVersion?: string;
  emulationVersion?: string;
  strategy?: string;
}

type CandidateObject = SpecObject<CandidateSpec>;

export function validateLeaseCandidate(
  { metadata, spec }: CandidateObject,
  old: CandidateObject | undefined,
): FieldError[] {
  const errors = new Errors();
  const rules = { namespaced: true, name: checkConfigMapKey, coreFinalizers: false };
  validateMeta(metadata, old?.metadata, rules, errors);
  if (!spec.leaseName) errors.required(specPath.child('leaseName'));
  const { emulationVersion = '', binaryVersion = '', strategy = '' } = spec;
  const emulated = parseVersion(emulationVersion);
  const binary = parseVersion(binaryVersion);
  const notVersion = 'must be a valid semantic version';
  if (emulationVersion !== '' && emulated === undefined) {
    errors.invalid(specPath.child('emulationVersion'), emulationVersion, notVersion);
  }
  const path = specPath.child('binaryVersion');
  if (binaryVersion === '') errors.required(path);
  else if (binary === undefined) errors.invalid(path, binaryVersion, notVersion);
  if (binaryVersion !== '' && emulationVersion !== '' && isBefore(binary ?? zero, emulated ?? zero)) {
    const detail = 'must be greater than or equal to `emulationVersion`';
    errors.invalid(path, binaryVersion, detail);
  }
  if (strategy === '') errors.required(specPath.child('strategy'));
  else {
    if (strategy === 'OldestEmulationVersion' && !isBefore(zero, emulated ?? zero)) {
      const detail = "must be specified when `strategy` is 'OldestEmulationVersion'";
      errors.required(specPath.child('emulationVersion'), detail);
    }
    validateStrategy(strategy, errors);
  }
  if (old !== undefined) immutable(spec.leaseName, old.spec.leaseName, specPath.child('leaseName'), errors);
  return errors;
}

type Version = readonly [major: number, minor: number, patch: number];

const zero: Version = [0, 0, 0];

function parseVersion(text: string): Version | undefined {
  const numbers =
    /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/.exec(text);
  return numbers === null ? undefined : [Number(numbers[1]), Number(numbers[2]), Number(numbers[3])];
}

function isBefore(left: Version, right: Version): boolean {
  const at = left.findIndex((number, index) => number !== right[index]);
  return at >= 0 && left[at]! < right[at]!;
}
