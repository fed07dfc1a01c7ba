import { semanticDeepEqual, type FieldError, type FieldPath } from '@coxswain/apimachinery';
import { pathOf, Errors } from '../meta/checks.ts';
import { goStruct } from '../meta/go-struct.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import { subdomainName, validateObjectMeta } from '../meta/object-meta-validation.ts';
import { validateConditionTypes, type ConditionsStatus } from './flow-schema-validation.ts';
import { mandatoryPriorityLevelSpecs } from './mandatory-specs.ts';
import {
  PriorityLevelConfigurationSpec,
  type LimitedPriorityLevelConfiguration,
  type QueuingConfiguration,
} from './v1/priority-level-configuration-spec.ts';

interface Shares {
  nominalConcurrencyShares?: number | null;
  lendablePercent?: number | null;
}

type Level = StatusObject<PriorityLevelConfigurationSpec, ConditionsStatus>;

const specPath = pathOf('spec');
const roundTripAnnotation = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
const queuesMax = 10_000_000;
const hashBits = 60;

export function validatePriorityLevel({ metadata, spec, status }: Level): FieldError[] {
  const errors = new Errors();
  validateObjectMeta(metadata, { namespaced: false, name: subdomainName }, errors);
  if (metadata.annotations?.[roundTripAnnotation] !== undefined) {
    const detail = `annotation '${roundTripAnnotation}' is forbidden`;
    errors.forbidden(pathOf('metadata', 'annotations'), detail);
  }
  const name = metadata.name ?? '';
  if ((name === 'exempt') !== (spec.type === 'Exempt')) {
    const detail = "must be 'Exempt' if and only if `name` is 'exempt'";
    errors.invalid(specPath.child('type'), spec.type, detail);
  }
  validateChoice(spec, errors);
  validateMandatory(name, spec, errors);
  errors.push(...validateConditionTypes(status));
  return errors;
}

function validateChoice({ type, limited, exempt }: PriorityLevelConfigurationSpec, errors: Errors): void {
  if (type === 'Exempt') {
    if (limited != null) {
      errors.forbidden(specPath.child('limited'), 'must be nil if the type is not Limited');
    }
    if (exempt != null) validateShares(exempt, specPath.child('exempt'), errors);
  } else if (type === 'Limited') {
    if (exempt != null) {
      errors.forbidden(specPath.child('exempt'), 'must be nil if the type is Limited');
    }
    if (limited != null) validateLimited(limited, specPath.child('limited'), errors);
    else errors.required(specPath.child('limited'), 'must not be empty when type is Limited');
  } else if (type === '') errors.required(specPath.child('type'));
  else errors.notSupported(specPath.child('type'), type, ['Exempt', 'Limited']);
}

/** Of the mandatory levels only the shares of the exempt one may be changed. */
function validateMandatory(name: string, spec: PriorityLevelConfigurationSpec, errors: Errors): void {
  const fixed = mandatoryPriorityLevelSpecs.get(name);
  if (fixed === undefined) return;
  const isExempt = name === 'exempt';
  const compared = isExempt ? { ...spec, exempt: fixed.exempt } : spec;
  if (semanticDeepEqual(compared, fixed)) return;
  const part = isExempt ? " except the 'spec.exempt' field" : '';
  errors.invalid(
    specPath,
    goStruct(PriorityLevelConfigurationSpec, spec),
    `spec of '${name}'${part} must equal the fixed value`,
  );
}

function validateNominal(
  { nominalConcurrencyShares: shares }: Shares,
  path: FieldPath,
  errors: Errors,
): void {
  if (shares == null || shares >= 0) return;
  errors.invalid(path.child('nominalConcurrencyShares'), shares, 'must be a non-negative integer');
}

function validateLendable({ lendablePercent: percent }: Shares, path: FieldPath, errors: Errors): void {
  if (percent == null || (percent >= 0 && percent <= 100)) return;
  errors.invalid(path.child('lendablePercent'), percent, 'must be between 0 and 100, inclusive');
}

function validateShares(shares: Shares, path: FieldPath, errors: Errors): void {
  validateNominal(shares, path, errors);
  validateLendable(shares, path, errors);
}

function validateLimited(limited: LimitedPriorityLevelConfiguration, path: FieldPath, errors: Errors): void {
  validateNominal(limited, path, errors);
  const { type, queuing } = limited.limitResponse;
  const at = path.child('limitResponse');
  if (type === 'Reject') {
    if (queuing != null) {
      const detail = 'must be nil if limited.limitResponse.type is not Limited';
      errors.forbidden(at.child('queuing'), detail);
    }
  } else if (type === 'Queue') {
    if (queuing != null) validateQueuing(queuing, at.child('queuing'), errors);
    else {
      const detail = 'must not be empty if limited.limitResponse.type is Limited';
      errors.required(at.child('queuing'), detail);
    }
  } else if (type === '') errors.required(at.child('type'));
  else errors.notSupported(at.child('type'), type, ['Queue', 'Reject']);
  validateLendable(limited, path, errors);
  const borrowing = limited.borrowingLimitPercent;
  if (borrowing != null && borrowing < 0) {
    const detail = 'if specified, must be a non-negative integer';
    errors.invalid(path.child('borrowingLimitPercent'), borrowing, detail);
  }
}

function validateQueuing(
  { queues, handSize, queueLengthLimit }: QueuingConfiguration,
  path: FieldPath,
  errors: Errors,
): void {
  const invalid = (name: string, value: number, detail: string): void =>
    void errors.invalid(path.child(name), value, detail);
  if (queueLengthLimit <= 0) invalid('queueLengthLimit', queueLengthLimit, 'must be positive');
  if (queues <= 0) invalid('queues', queues, 'must be positive');
  else if (queues > queuesMax) invalid('queues', queues, `must not be greater than ${queuesMax}`);
  if (handSize <= 0) invalid('handSize', handSize, 'must be positive');
  else if (handSize > queues) {
    invalid('handSize', handSize, `should not be greater than queues (${queues})`);
  } else if (entropyBits(queues, handSize) > hashBits) {
    invalid(
      'handSize',
      handSize,
      `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${hashBits}`,
    );
  }
}

/** The number of bits needed to deal a hand from the deck. */
const entropyBits = (deckSize: number, handSize: number): number => Math.ceil(handSize * Math.log2(deckSize));
