/** Semantic versions: `semver('1.2.3').isLessThan(semver('2.0.0'))`. */

import type { Library } from '../declarations/library.ts';
import { declareFunction, overload, type FunctionDeclaration } from '../declarations/declaration.ts';
import { structType } from '../types/type.ts';
import { CelError } from '../values/error.ts';
import { intFromBigInt } from '../values/int.ts';
import { OpaqueValue, type Value } from '../values/value.ts';
import { uintMax } from '../values/uint.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';

const semverType = structType('kubernetes.Semver');

interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** Numbers precede words. */
  readonly prerelease: readonly (bigint | string)[];
}

export class SemverValue extends OpaqueValue {
  readonly type = semverType;
  readonly version: Version;

  constructor(version: Version) {
    super();
    this.version = version;
  }

  equals(other: Value): boolean {
    return other instanceof SemverValue && compare(this, other) === 0;
  }
}

class SemverError extends Error {}

export function semverValue(text: string, isNormalized = false): SemverValue | CelError {
  try {
    return new SemverValue(parseVersion(isNormalized ? normalize(text) : text));
  } catch (error) {
    if (!(error instanceof SemverError)) throw error;
    return new CelError(error.message);
  }
}

/** Accepts a leading `v`, missing parts and leading zeros. */
function normalize(text: string): string {
  const parts = splitAtDots(text.replace(/^v/, '')).map((part) =>
    // More than one byte.
    part.length > 1 || part > '\x7f' ? withoutZeros(part) : part,
  );
  if (parts.length < 3) {
    if (/[+-]/.test(parts.at(-1)!)) {
      throw new SemverError('short version cannot contain PreRelease/Build meta data');
    }
    while (parts.length < 3) parts.push('0');
  }
  return parts.join('.');
}

function withoutZeros(part: string): string {
  const rest = part.replace(/^0+/, '');
  return /^\d/.test(rest) ? rest : `0${rest}`;
}

/** At most three parts: the last one has the rest. */
function splitAtDots(text: string): string[] {
  const [first, second, ...rest] = text.split('.');
  return [first!, ...(second === undefined ? [] : [second]), ...(rest.length > 0 ? [rest.join('.')] : [])];
}

function parseVersion(text: string): Version {
  if (text === '') throw new SemverError('Version string empty');
  const parts = splitAtDots(text);
  if (parts.length !== 3) throw new SemverError('No Major.Minor.Patch elements found');
  const major = parseNumber(parts[0]!, 'major', 'Major');
  const minor = parseNumber(parts[1]!, 'minor', 'Minor');
  const [withPrerelease, build] = cut(parts[2]!, '+');
  const [patchText, prereleaseText] = cut(withPrerelease, '-');
  const patch = parseNumber(patchText, 'patch', 'Patch');
  const prerelease = prereleaseText === undefined ? [] : prereleaseText.split('.').map(parsePrerelease);
  if (build !== undefined) build.split('.').forEach(checkBuild);
  return { major, minor, patch, prerelease };
}

function cut(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function parseNumber(text: string, name: string, title: string): bigint {
  if (!/^\d*$/.test(text))
    throw new SemverError(`Invalid character(s) found in ${name} number ${goQuote(text)}`);
  if (/^0./.test(text))
    throw new SemverError(`${title} number must not contain leading zeroes ${goQuote(text)}`);
  return parseUint(text);
}

function parseUint(text: string): bigint {
  const parsing = `strconv.ParseUint: parsing ${goQuote(text)}`;
  if (text === '') throw new SemverError(`${parsing}: invalid syntax`);
  const value = BigInt(text);
  if (value > uintMax) throw new SemverError(`${parsing}: value out of range`);
  return value;
}

function parsePrerelease(text: string): bigint | string {
  if (text === '') throw new SemverError('Prerelease is empty');
  if (/^\d+$/.test(text)) {
    if (/^0./.test(text)) {
      throw new SemverError(`Numeric PreRelease version must not contain leading zeroes ${goQuote(text)}`);
    }
    return parseUint(text);
  }
  if (!/^[0-9A-Za-z-]+$/.test(text))
    throw new SemverError(`Invalid character(s) found in prerelease ${goQuote(text)}`);
  return text;
}

function checkBuild(text: string): void {
  if (text === '') throw new SemverError('Build meta data is empty');
  if (/^[0-9A-Za-z-]+$/.test(text)) return;
  throw new SemverError(`Invalid character(s) found in build meta data ${goQuote(text)}`);
}

function compare({ version: one }: SemverValue, { version: other }: SemverValue): number {
  return (
    order(one.major, other.major) ||
    order(one.minor, other.minor) ||
    order(one.patch, other.patch) ||
    comparePrereleases(one.prerelease, other.prerelease)
  );
}

function comparePrereleases(one: Version['prerelease'], other: Version['prerelease']): number {
  // A release follows its prereleases.
  if (one.length === 0 || other.length === 0) return order(other.length, one.length);
  for (const [index, part] of one.entries()) {
    const against = other[index];
    if (against === undefined) return 1;
    const compared = compareParts(part, against);
    if (compared !== 0) return compared;
  }
  return order(one.length, other.length);
}

function compareParts(one: bigint | string, other: bigint | string): number {
  if (typeof one !== typeof other) return typeof one === 'bigint' ? -1 : 1;
  return one < other ? -1 : one > other ? 1 : 0;
}

const order = <Ordered extends bigint | number>(one: Ordered, other: Ordered): number =>
  one < other ? -1 : one > other ? 1 : 0;

const isSemver = (text: string, isNormalized = false): boolean =>
  !(semverValue(text, isNormalized) instanceof CelError);

const part = (name: 'major' | 'minor' | 'patch'): FunctionDeclaration =>
  declareFunction(name, [
    overload(`semver_${name}`, 'kubernetes.Semver.() -> int', ({ version }: SemverValue) =>
      intFromBigInt(BigInt.asIntN(64, version[name]))!,
    ),
  ]);

const toOther = (result: string): string => `kubernetes.Semver.(kubernetes.Semver) -> ${result}`;

export const semverLibrary: Library = {
  functions: [
    declareFunction('semver', [
      overload('string_to_semver', '(string) -> kubernetes.Semver', semverValue),
      overload('string_bool_to_semver', '(string, bool) -> kubernetes.Semver', semverValue),
    ]),
    declareFunction('isSemver', [
      overload('is_semver_string', '(string) -> bool', isSemver),
      overload('is_semver_string_bool', '(string, bool) -> bool', isSemver),
    ]),
    declareFunction('isGreaterThan', [
      overload(
        'semver_is_greater_than',
        toOther('bool'),
        (one: SemverValue, other: SemverValue) => compare(one, other) > 0,
      ),
    ]),
    declareFunction('isLessThan', [
      overload(
        'semver_is_less_than',
        toOther('bool'),
        (one: SemverValue, other: SemverValue) => compare(one, other) < 0,
      ),
    ]),
    declareFunction('compareTo', [overload('semver_compare_to', toOther('int'), compare)]),
    part('major'),
    part('minor'),
    part('patch'),
  ],
};
