/** The string formats that a schema may use, spelled without dashes; others aren't validated. */

const patterns: Readonly<Record<string, RegExp>> = {
  bsonobjectid: /^[0-9a-f]{24}$/i,
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/,
  email: /^[^@\s]+@[^@\s]+$/,
  hostname:
    /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/,
  uuid: /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
  uuid3: /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
  uuid4: /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i,
  uuid5: /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i,
  mac: /^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4})$/i,
  hexcolor: /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i,
  rgbcolor:
    /^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$/,
  k8sshortname: /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
  k8slongname: /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
};

const checks: Readonly<Record<string, (value: string) => boolean>> = {
  date: isDate,
  datetime: (value) =>
    /^.{10}[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(value) && isDate(value.slice(0, 10)),
  duration: isDuration,
  uri: (value) => URL.canParse(value) || value.startsWith('/'),
  ipv6: (value) => value.includes(':') && URL.canParse(`http://[${value}]/`),
  cidr: isCidr,
  isbn: (value) => isIsbn10(value) || isIsbn13(value),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (value) => value.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(value),
  password: () => true,
};

export function isOfFormat(format: string, value: string): boolean {
  const name = format.replaceAll('-', '');
  const pattern = patterns[name];
  return pattern === undefined ? (checks[name]?.(value) ?? true) : pattern.test(value);
}

/** Formats with the minor version of Kubernetes that introduced their validation, without dashes. */
const introduced: Readonly<Record<string, number>> = { k8sshortname: 34, k8slongname: 34 };

/** 0: always. */
export const formatSince = (format: string): number => introduced[format.replaceAll('-', '')] ?? 0;

/** Without dashes. */
export const isKnownStringFormat = (name: string): boolean =>
  Object.hasOwn(patterns, name) || Object.hasOwn(checks, name);

function isDate(value: string): boolean {
  const ms = Date.parse(`${value}T00:00:00Z`);
  const isWellFormed = /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(ms);
  return isWellFormed && new Date(ms).toISOString().startsWith(value);
}

/** In Go's notation, or with a number and a unit anywhere in the text: `3 days`, `PT5M`. */
function isDuration(value: string): boolean {
  if (/^[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$|^[-+]?0$/.test(value)) return true;
  const units = [...value.matchAll(/\d+\s*([A-Za-zµ]+)/g)].map(([, unit]) => unit!.toLowerCase());
  return units.some((unit) => wholeUnits.has(unit) || longUnits.some((long) => unit.startsWith(long)));
}

const wholeUnits = new Set(['ns', 'us', 'µs', 'ms', 's', 'm', 'h', 'hr', 'd', 'w', 'wk']);
const longUnits = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];

function isCidr(value: string): boolean {
  const [address = '', bits = '', ...rest] = value.split('/');
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  if (patterns['ipv4']!.test(address)) return Number(bits) <= 32;
  return checks['ipv6']!(address) && Number(bits) <= 128;
}

const digitsOf = (text: string): number[] =>
  [...text].map((character) => (character === 'X' ? 10 : Number(character)));

function isIsbn10(value: string): boolean {
  const text = value.replaceAll(/[\s-]/g, '');
  if (!/^(?:\d{9}X|\d{10})$/.test(text)) return false;
  return digitsOf(text).reduce((sum, digit, index) => sum + (index + 1) * digit, 0) % 11 === 0;
}

function isIsbn13(value: string): boolean {
  const text = value.replaceAll(/[\s-]/g, '');
  if (!/^\d{13}$/.test(text)) return false;
  return digitsOf(text).reduce((sum, digit, index) => sum + (index % 2 === 0 ? 1 : 3) * digit, 0) % 10 === 0;
}

const cardNumber =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** The Luhn checksum of the digits. */
function isCreditCard(value: string): boolean {
  const text = value.replaceAll(/\D+/g, '');
  if (!cardNumber.test(text)) return false;
  const sum = digitsOf(text)
    .toReversed()
    .reduce((total, digit, index) => {
      const counted = index % 2 === 0 ? digit : digit * 2;
      return total + (counted > 9 ? counted - 9 : counted);
    }, 0);
  return sum % 10 === 0;
}
