/** Validates names of pools, attributes and shares in device requests and slices. */

import { byteLength, checkCIdentifier, checkDnsSubdomain, type FieldPath } from '@coxswain/apimachinery';
import { PrintedValue } from '@coxswain/apimachinery/field-error.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { check, Errors } from '../meta/checks.ts';
import { validateDriverName } from '../storage/driver-validation.ts';

export const poolNameLengthMax = 253;
const identifierLengthMax = 32;

/** DNS subdomains separated by slashes. */
export function validatePoolName(name: string, path: FieldPath, errors: Errors): void {
  if (name === '') {
    errors.required(path);
    return;
  }
  if (byteLength(name) > poolNameLengthMax) errors.tooLong(path, poolNameLengthMax);
  for (const part of name.split('/')) check(part, path, checkDnsSubdomain, errors);
}

/** `name` or `driver.example.com/name`. */
export function validateAttributeName(name: string, path: FieldPath, errors: Errors): void {
  const found = new Errors();
  validateParts(name, path, found);
  // The parts are plain text, even of a name whose type is one of text.
  for (const error of found) {
    const { badValue } = error;
    errors.push(
      typeof badValue === 'string' ? { ...error, badValue: new PrintedValue(goQuote(badValue)) } : error,
    );
  }
}

function validateParts(name: string, path: FieldPath, errors: Errors): void {
  const parts = name.split('/');
  if (parts.length === 1) validateIdentifier(name, path, errors);
  // Upstream accepts more than one slash.
  if (parts.length !== 2) return;
  const [domain, rest] = parts as [string, string];
  if (domain === '') errors.invalid(path, '', 'the domain must not be empty');
  else validateDriverName(domain, path, errors);
  if (rest === '') errors.invalid(path, '', 'the name must not be empty');
  else validateIdentifier(rest, path, errors);
}

function validateIdentifier(text: string, path: FieldPath, errors: Errors): void {
  if (byteLength(text) > identifierLengthMax) errors.tooLong(path, identifierLengthMax);
  check(text, path, checkCIdentifier, errors);
}

/** Like {@link validateAttributeName}, but the domain is required. */
export function validateQualifiedAttributeName(name: string, path: FieldPath, errors: Errors): void {
  validateAttributeName(name, path, errors);
  if (name.includes('/')) return;
  const detail = 'a fully qualified name must be a domain and a name separated by a slash';
  errors.invalid(path, name, detail);
}

const normalForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const hyphenatedForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const plainForm = /^[0-9a-f]{32}$/i;
const urnPrefix = 'urn:uuid:';

/** Upstream's parser accepts four notations of a UUID, but only the usual one is valid here. */
export function validateShareId(id: string, path: FieldPath, errors: Errors): void {
  if (normalForm.test(id)) return;
  const problem = parseProblem(id);
  const detail =
    problem === undefined
      ? 'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters'
      : `error validating uid: ${problem}`;
  errors.invalid(path, id, detail);
}

function parseProblem(id: string): string | undefined {
  const isUuid = (text: string, form: RegExp): string | undefined =>
    form.test(text) ? undefined : 'invalid UUID format';
  const length = byteLength(id);
  if (length === 36) return isUuid(id, hyphenatedForm);
  if (length === 32) return isUuid(id, plainForm);
  if (length === 38) {
    const isBraced = id.startsWith('{') && id.endsWith('}');
    return isBraced ? isUuid(id.slice(1, -1), hyphenatedForm) : 'invalid bracketed UUID format';
  }
  if (length !== 45) return `invalid UUID length: ${length}`;
  const prefix = id.slice(0, urnPrefix.length);
  if (prefix.toLowerCase() !== urnPrefix) return `invalid urn prefix: ${JSON.stringify(prefix)}`;
  return isUuid(id.slice(urnPrefix.length), hyphenatedForm);
}
