/** Named formats: `format.dns1123Label().validate('a.b')`. */

import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkQualifiedName,
  type NameCheck,
} from '@coxswain/apimachinery/names.ts';
import type { Library } from '../declarations/library.ts';
import { declareFunction, overload } from '../declarations/declaration.ts';
import { parseBase64 } from '../values/base64.ts';
import { ArrayList } from '../values/list.ts';
import { Optional, none, type Value } from '../values/value.ts';
import { parseTimestamp } from '../values/timestamp.ts';
import { NamedFormat } from '../formats/named-format.ts';
import { UrlTextError, parseRequestUrl } from '@coxswain/apimachinery/url-text.ts';

/** A prefix may end with a hyphen, since a generated suffix follows. */
const asPrefix =
  (check: NameCheck): NameCheck =>
  (value) =>
    check(value.endsWith('-') ? `${value.slice(0, -1)}a` : value);

const test =
  (holds: (text: string) => boolean, message: string): NameCheck =>
  (text) =>
    holds(text) ? [] : [message];

function checkUrl(text: string): readonly string[] {
  try {
    parseRequestUrl(text);
    return [];
  } catch (error) {
    if (!(error instanceof UrlTextError)) throw error;
    return [error.message];
  }
}

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && parseTimestamp(`${text}T00:00:00Z`) !== undefined;

const isDateTime = (text: string): boolean => parseTimestamp(text.toUpperCase()) !== undefined;

/** The name in expressions, the name for comparisons, the pattern's length, the check. */
const formats: readonly (readonly [string, string, number, NameCheck])[] = [
  ['dns1123Label', 'DNS1123Label', 30, checkDnsLabel],
  ['dns1123Subdomain', 'DNS1123Subdomain', 60, checkDnsSubdomain],
  ['dns1035Label', 'DNS1035Label', 30, checkDns1035Label],
  ['qualifiedName', 'QualifiedName', 60, checkQualifiedName],
  ['dns1123LabelPrefix', 'DNS1123LabelPrefix', 30, asPrefix(checkDnsLabel)],
  ['dns1123SubdomainPrefix', 'DNS1123SubdomainPrefix', 60, asPrefix(checkDnsSubdomain)],
  ['dns1035LabelPrefix', 'DNS1035LabelPrefix', 30, asPrefix(checkDns1035Label)],
  ['labelValue', 'LabelValue', 40, checkLabelValue],
  ['uri', 'URI', 1103, checkUrl],
  ['uuid', 'uuid', 70, test((text) => uuid.test(text), 'does not match the UUID format')],
  ['byte', 'byte', 84, test((text) => text !== '' && parseBase64(text) !== undefined, 'invalid base64')],
  ['date', 'date', 71, test(isDate, 'invalid date')],
  ['datetime', 'datetime', 71, test(isDateTime, 'invalid datetime')],
];

const values: ReadonlyMap<string, NamedFormat> = new Map(
  formats.map(([name, title, size, check]) => [name, new NamedFormat(title, size, check)]),
);

function validate(format: NamedFormat, text: string): Value {
  const messages = format.validate(text);
  return messages.length === 0 ? none : new Optional(new ArrayList(messages));
}

export const formatLibrary: Library = {
  functions: [
    ...Array.from(values, ([name, format]) =>
      declareFunction(`format.${name}`, [
        overload(`format.${name}`, '() -> kubernetes.NamedFormat', () => format),
      ]),
    ),
    declareFunction('format.named', [
      overload('format-named', '(string) -> optional(kubernetes.NamedFormat)', (name: string) =>
        values.has(name) ? new Optional(values.get(name)!) : none,
      ),
    ]),
    declareFunction('validate', [
      overload('format-validate', 'kubernetes.NamedFormat.(string) -> optional(list(string))', validate),
    ]),
  ],
};
