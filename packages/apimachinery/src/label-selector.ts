/** Label selectors: requirements, their text, and a compiled predicate. */

import { appendAll } from './append-all.ts';
import { compareText, firstNotBefore, isOneOf } from './compare-text.ts';
import { FieldErrors, invalidError, notSupportedError, type FieldError } from './field-error.ts';
import { FieldPath } from './field-path.ts';
import { parseInt64 } from './go-integer.ts';
import { goQuote } from './go-quote.ts';
import { checkLabelValue, checkQualifiedName } from './names.ts';

export type Labels = Readonly<Record<string, string>>;

export type SelectorOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | 'gt' | 'lt';

export interface Requirement {
  readonly key: string;
  readonly operator: SelectorOperator;
  readonly values: readonly string[];
}

/** Selects objects by their labels. Immutable; made once, used often. */
export interface LabelSelector {
  /** Sorted by key. */
  readonly requirements: readonly Requirement[];
  /** Whether it selects everything, so that labels need not be checked. */
  readonly everything: boolean;
  /** Whether it selects nothing, whatever the labels. */
  readonly nothing: boolean;
  matches(labels: Labels | undefined): boolean;
  /** The canonical form: `app=web,tier in (a,b),!old`. */
  toString(): string;
}

/** meta/v1 LabelSelector, as in specs. */
export interface LabelSelectorSpec {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** From requirements that were already checked. */
export const labelSelectorOf = (requirements: readonly Requirement[]): LabelSelector =>
  labelSelectorOfSorted([...requirements].sort(byKey));

export const byKey = (a: Requirement, b: Requirement): number => compareText(a.key, b.key);

/** As {@link labelSelectorOf}, from requirements that are sorted {@link byKey}. */
export function labelSelectorOfSorted(sorted: readonly Requirement[]): LabelSelector {
  if (sorted.length === 0) return everythingSelector;
  const matches = compileRequirements(sorted);
  let text: string | undefined;
  return {
    requirements: sorted,
    everything: false,
    nothing: false,
    matches,
    toString: () => (text ??= sorted.map(requirementText).join(',')),
  };
}

/** Requires all of these labels with these values, unchecked; an empty set selects everything. */
export const labelSelectorOfSet = (labels: Labels | undefined): LabelSelector =>
  labelSelectorOf(
    Object.entries(labels ?? {}).map(([key, value]) => ({ key, operator: '=', values: [value] })),
  );

const noLabels: Labels = {};

export const everythingSelector: LabelSelector = {
  requirements: [],
  everything: true,
  nothing: false,
  matches: () => true,
  toString: () => '',
};

export const nothingSelector: LabelSelector = {
  requirements: [],
  everything: false,
  nothing: true,
  matches: () => false,
  toString: () => '',
};

/**
 * The selector of a spec: an absent one selects nothing, an empty one everything.
 * @throws Error with upstream's message for an invalid spec
 */
export function labelSelectorFromSpec(spec: LabelSelectorSpec | null | undefined): LabelSelector {
  if (spec === null || spec === undefined) return nothingSelector;
  const requirements = Object.entries(spec.matchLabels ?? {}).map(([key, value]) =>
    requirement(key, '=', [value]),
  );
  for (const { key, operator, values } of spec.matchExpressions ?? []) {
    const known = specOperators.get(operator);
    if (known === undefined) throw new Error(`${goQuote(operator)} is not a valid label selector operator`);
    requirements.push(requirement(key, known, values ?? []));
  }
  return labelSelectorOf(requirements);
}

const selectorsOfSpecs = new WeakMap<LabelSelectorSpec, LabelSelector>();

/**
 * As {@link labelSelectorFromSpec}, but made only once for each spec: for objects in caches, which never change and are
 * compared with every event. A selector of thousands of values takes milliseconds to make.
 */
export function selectorOfCached(spec: LabelSelectorSpec | null | undefined): LabelSelector {
  if (spec === null || spec === undefined) return nothingSelector;
  let selector = selectorsOfSpecs.get(spec);
  if (selector === undefined) selectorsOfSpecs.set(spec, (selector = labelSelectorFromSpec(spec)));
  return selector;
}

/** A checked requirement. @throws FieldErrors, whose paths start at `key` */
export function requirement(key: string, operator: SelectorOperator, values: readonly string[]): Requirement {
  const errors = requirementErrors(key, operator, values);
  if (errors.length > 0) throw new FieldErrors(errors);
  return { key, operator, values };
}

/** The errors of a requirement; without a path they start at `key`. */
export function requirementErrors(
  key: string,
  operator: SelectorOperator,
  values: readonly string[],
  path?: FieldPath,
): FieldError[] {
  const child = (name: string) => (path === undefined ? FieldPath.of(name) : path.child(name));
  const keyMessages = checkQualifiedName(key);
  const errors: FieldError[] = keyMessages.length === 0 ? [] : keyErrors(keyMessages, key, child('key'));
  appendAll(errors, operatorErrors(operator, values, child));
  values.forEach((value, index) => {
    const messages = checkLabelValue(value);
    if (messages.length > 0)
      errors.push(invalidError(child('values').index(index).key(key), value, messages.join('; ')));
  });
  return errors;
}

export function labelKeyErrors(key: string): FieldError[] {
  const messages = checkQualifiedName(key);
  return messages.length === 0 ? [] : keyErrors(messages, key, undefined);
}

const keyErrors = (messages: readonly string[], key: string, path: FieldPath | undefined): FieldError[] => [
  invalidError(path, key, messages.join('; ')),
];

/** A label that must have a single value for the selector to match; for indexes. */
export function exactMatch({ requirements }: LabelSelector): { key: string; value: string } | undefined {
  const found = requirements.find(
    ({ operator, values }) => values.length === 1 && ['=', '==', 'in'].includes(operator),
  );
  return found && { key: found.key, value: found.values[0]! };
}

export function requirementText({ key, operator, values }: Requirement): string {
  if (operator === 'exists') return key;
  if (operator === '!') return `!${key}`;
  const list = [...values].sort(compareText).join(',');
  if (operator === 'in' || operator === 'notin') return `${key} ${operator} (${list})`;
  return `${key}${symbols[operator]}${list}`;
}

const symbols = { '=': '=', '==': '==', '!=': '!=', gt: '>', lt: '<' } as const;

const specOperators: ReadonlyMap<string, SelectorOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** As upstream lists them when an operator is unknown. */
const operatorNames = ['in', 'notin', '=', '==', '!=', 'gt', 'lt', 'exists', '!'] as const;

type LabelTest = (labels: Labels) => boolean;

/** From this number of requirements on, it pays to look up those that an object's labels can violate. */
const manyRequirements = 8;

function compileRequirements(requirements: readonly Requirement[]): (labels?: Labels) => boolean {
  const [only, ...others] =
    requirements.length <= manyRequirements ? requirements.map(compileRequirement) : [];
  if (only === undefined) return compileMany(requirements);
  if (others.length === 0) return (labels = noLabels) => only(labels);
  return (labels = noLabels) => only(labels) && others.every((test) => test(labels));
}

/**
 * Requirements that a missing label meets cost nothing for objects without that label, however many there are. Tests are
 * compiled when they are first needed: of a hundred thousand, few ever are.
 * @param requirements sorted by key
 */
function compileMany(requirements: readonly Requirement[]): (labels?: Labels) => boolean {
  const needed = requirements.filter(({ operator }) => !metByAbsence.has(operator));
  const excluding = requirements.filter(({ operator }) => metByAbsence.has(operator));
  const tests = new Map<Requirement, LabelTest>();
  const isMet = (requirement: Requirement, labels: Labels): boolean => {
    let test = tests.get(requirement);
    if (test === undefined) tests.set(requirement, (test = compileRequirement(requirement)));
    return test(labels);
  };
  const allowsValueOf = (key: string, labels: Labels): boolean => {
    let at = firstNotBefore(excluding.length, key, (index) => excluding[index]!.key);
    for (; excluding[at]?.key === key; at++) if (!isMet(excluding[at]!, labels)) return false;
    return true;
  };
  return (labels = noLabels) =>
    needed.every((one) => isMet(one, labels)) &&
    Object.keys(labels).every((key) => allowsValueOf(key, labels));
}

const metByAbsence: ReadonlySet<SelectorOperator> = new Set(['!=', 'notin', '!']);

function compileRequirement({ key, operator, values }: Requirement): LabelTest {
  const only = values[0];
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      // Inherited members are not strings, so the key need not be the labels' own.
      if (values.length === 1) return (labels) => labels[key] === only;
      return oneOf(key, values);
    case '!=':
    case 'notin': {
      if (values.length === 1) return (labels) => !has(labels, key) || labels[key] !== only;
      const isOne = oneOf(key, values);
      return (labels) => !isOne(labels);
    }
    case 'exists':
      return (labels) => has(labels, key);
    case '!':
      return (labels) => !has(labels, key);
    case 'gt':
    case 'lt':
      return compileComparison(key, operator, only ?? '');
  }
}

function oneOf(key: string, values: readonly string[]): LabelTest {
  const isOne = isOneOf(values);
  return (labels) => has(labels, key) && isOne(labels[key]!);
}

function compileComparison(key: string, operator: 'gt' | 'lt', text: string): LabelTest {
  const bound = parseInt64(text);
  return (labels) => {
    const value = has(labels, key) ? parseInt64(labels[key]!) : undefined;
    if (value === undefined || bound === undefined) return false;
    return operator === 'gt' ? value > bound : value < bound;
  };
}

const has = (labels: Labels, key: string): boolean => Object.hasOwn(labels, key);

function operatorErrors(
  operator: SelectorOperator,
  values: readonly string[],
  child: (name: string) => FieldPath,
): FieldError[] {
  const wrong = (detail: string) => [
    invalidError(child('values'), values.length === 0 ? null : values, detail),
  ];
  switch (operator) {
    case 'in':
    case 'notin':
      return values.length === 0 ? wrong("for 'in', 'notin' operators, values set can't be empty") : [];
    case '=':
    case '==':
    case '!=':
      return values.length === 1 ? [] : wrong('exact-match compatibility requires one single value');
    case 'exists':
    case '!':
      return values.length === 0 ? [] : wrong('values set must be empty for exists and does not exist');
    case 'gt':
    case 'lt':
      return [
        ...(values.length === 1 ? [] : wrong("for 'Gt', 'Lt' operators, exactly one value is required")),
        ...values.flatMap((value, index) =>
          parseInt64(value) === undefined
            ? [
                invalidError(
                  child('values').index(index),
                  value,
                  "for 'Gt', 'Lt' operators, the value must be an integer",
                ),
              ]
            : [],
        ),
      ];
    default:
      return [notSupportedError(child('operator'), operator, operatorNames)];
  }
}
