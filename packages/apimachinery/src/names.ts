/**
 * Validates names (apimachinery's util/validation). Each check returns upstream's messages, none for a valid value.
 * Patterns are only tested on short strings: the length rule is reported as well, so callers need not check it first.
 */

export type NameCheck = (value: string) => readonly string[];

const dnsLabelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dnsSubdomainFormat = `${dnsLabelFormat}(\\.${dnsLabelFormat})*`;
const underscoreLabelFormat = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const underscoreSubdomainFormat = `${underscoreLabelFormat}(\\.${underscoreLabelFormat})*`;
const dns1035LabelFormat = '[a-z]([-a-z0-9]*[a-z0-9])?';
const wildcardFormat = `\\*\\.${dnsSubdomainFormat}`;
const labelKeyFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValueFormat = `(${labelKeyFormat})?`;
const percentFormat = '[0-9]+%';
const headerFormat = '[-A-Za-z0-9]+';
const environmentFormat = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const configKeyFormat = '[-._a-zA-Z0-9]+';
const cIdentifierFormat = '[A-Za-z_][A-Za-z0-9_]*';

const dnsLabelLengthMax = 63;
const dnsSubdomainLengthMax = 253;
const labelValueLengthMax = 63;
const labelNameLengthMax = 63;
const portNameLengthMax = 15;

const dnsLabelPattern = whole(dnsLabelFormat);
const dnsSubdomainPattern = whole(dnsSubdomainFormat);
const underscoreSubdomainPattern = whole(underscoreSubdomainFormat);
const dns1035LabelPattern = whole(dns1035LabelFormat);
const wildcardPattern = whole(wildcardFormat);
const labelKeyPattern = whole(labelKeyFormat);
const labelValuePattern = whole(labelValueFormat);
const percentPattern = whole(percentFormat);
const headerPattern = whole(headerFormat);
const environmentPattern = whole(environmentFormat);
const configKeyPattern = whole(configKeyFormat);
const cIdentifierPattern = whole(cIdentifierFormat);

/** `web-1` */
export const checkDnsLabel: NameCheck = (value) => {
  const errors = tooLong(value, dnsLabelLengthMax);
  if (matches(dnsLabelPattern, value)) return errors;
  return [
    ...errors,
    matches(dnsSubdomainPattern, value)
      ? 'must not contain dots'
      : patternMessage(
          "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
          dnsLabelFormat,
          'my-name',
          '123-abc',
        ),
  ];
};

/** `web.example.com` */
export const checkDnsSubdomain: NameCheck = (value) => [
  ...tooLong(value, dnsSubdomainLengthMax),
  ...subdomainPatternErrors(value),
];

/** Like {@link checkDnsSubdomain}, with the messages of upstream's newer checks, which count bytes. */
export const checkLongName: NameCheck = (value) => [
  ...tooManyBytes(value, dnsSubdomainLengthMax),
  ...subdomainPatternErrors(value),
];

/** A long name that may have upper-case letters: names of drivers. */
export const checkLongNameCaseless: NameCheck = (value) => [
  ...tooManyBytes(value, dnsSubdomainLengthMax),
  ...(matches(dnsSubdomainPattern, value.toLowerCase())
    ? []
    : [
        patternMessage(
          "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
          dnsSubdomainFormat,
          'Example.com',
        ),
      ]),
];

const tooManyBytes = (value: string, lengthMax: number): readonly string[] =>
  byteLength(value) > lengthMax ? [`must be no more than ${lengthMax} bytes`] : [];

export const checkDnsSubdomainWithUnderscore: NameCheck = (value) => [
  ...tooLong(value, dnsSubdomainLengthMax),
  ...mismatch(
    underscoreSubdomainPattern,
    value,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
    underscoreSubdomainFormat,
    'example.com',
  ),
];

/** `*.example.com` */
export const checkWildcardDnsSubdomain: NameCheck = (value) => [
  ...tooLong(value, dnsSubdomainLengthMax),
  ...mismatch(
    wildcardPattern,
    value,
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    wildcardFormat,
    '*.example.com',
  ),
];

/** Like a DNS label, but starting with a letter: names of Services before 1.36 and of ports. */
export const checkDns1035Label: NameCheck = (value) => [
  ...tooLong(value, dnsLabelLengthMax),
  ...mismatch(
    dns1035LabelPattern,
    value,
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    dns1035LabelFormat,
    'my-name',
    'abc-123',
  ),
];

/** `app` or `example.com/app`: keys of labels, annotations and taints, names of resources. */
export const checkQualifiedName: NameCheck = (value) => {
  // Most keys are short and have no prefix.
  if (value.length <= labelNameLengthMax && matches(labelKeyPattern, value)) return [];
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${labelKeyMessage} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1)!;
  const errors: string[] = parts.length === 2 ? prefixErrors(parts[0]!) : [];
  if (name === '') errors.push(`name part ${emptyMessage}`);
  else if (byteLength(name) > labelNameLengthMax)
    errors.push(`name part ${bytesMessage(labelNameLengthMax)}`);
  if (!matches(labelKeyPattern, name)) errors.push(`name part ${labelKeyMessage}`);
  return errors;
};

export const checkLabelValue: NameCheck = (value) =>
  value.length <= labelValueLengthMax && matches(labelValuePattern, value) ? [] : labelValueErrors(value);

const labelValueErrors: NameCheck = (value) => [
  ...(byteLength(value) > labelValueLengthMax ? [bytesMessage(labelValueLengthMax)] : []),
  ...mismatch(
    labelValuePattern,
    value,
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    labelValueFormat,
    'MyValue',
    'my_value',
    '12345',
  ),
];

/** `25%` */
export const checkPercent: NameCheck = (value) =>
  mismatch(
    percentPattern,
    value,
    "a valid percent string must be a numeric string followed by an ending '%'",
    percentFormat,
    '1%',
    '93%',
  );

export const checkHttpHeaderName: NameCheck = (value) =>
  mismatch(
    headerPattern,
    value,
    "a valid HTTP header must consist of alphanumeric characters or '-'",
    headerFormat,
    'X-Header-Name',
  );

export const checkCIdentifier: NameCheck = (value) =>
  mismatch(
    cIdentifierPattern,
    value,
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
    cIdentifierFormat,
    'my_name',
    'MY_NAME',
    'MyName',
  );

/** Environment variables before relaxed names: still the rule for `envFrom` prefixes and in kubectl. */
export const checkEnvVarName: NameCheck = (value) => [
  ...mismatch(
    environmentPattern,
    value,
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
    environmentFormat,
    'my.env-name',
    'MY_ENV.NAME',
    'MyEnvName1',
  ),
  ...parentDirectoryErrors(value),
];

/** Environment variables of containers since 1.34: any printable ASCII but `=`. */
export const checkRelaxedEnvVarName: NameCheck = (value) => [
  ...(value === '' ? [`environment variable name ${emptyMessage}`] : []),
  ...(/^[ -<>-~]*$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"]),
];

/** Keys of ConfigMap and Secret data. */
export const checkConfigMapKey: NameCheck = (value) => [
  ...tooLong(value, dnsSubdomainLengthMax),
  ...mismatch(
    configKeyPattern,
    value,
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    configKeyFormat,
    'key.name',
    'KEY_NAME',
    'key-name',
  ),
  ...parentDirectoryErrors(value),
];

/** Names of ports: as IANA service names, in lower case. */
export const checkPortName: NameCheck = (value) => {
  const errors = [...tooLong(value, portNameLengthMax)];
  if (!/^[-a-z0-9]+$/.test(value)) {
    errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(value)) errors.push('must contain at least one letter (a-z)');
  if (value.includes('--')) errors.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
};

/** Anything that may be a segment of a path: names of roles, for example. */
export const checkPathSegment: NameCheck = (value) =>
  value === '.' || value === '..' ? [`may not be '${value}'`] : checkPathSegmentPrefix(value);

/** Like {@link checkPathSegment}, for a generateName that gets a suffix. */
export const checkPathSegmentPrefix: NameCheck = (value) =>
  ['/', '%'].filter((illegal) => value.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);

export const checkPortNumber = (port: number): readonly string[] => checkRange(port, 1, 65535);
/** Users and groups are 31-bit. */
export const checkUserId = (id: number): readonly string[] => checkRange(id, 0, 2 ** 31 - 1);
export const checkGroupId = checkUserId;

export const checkRange = (value: number, lowest: number, highest: number): readonly string[] =>
  value >= lowest && value <= highest ? [] : [rangeMessage(lowest, highest)];

export const emptyMessage = 'must be non-empty';
const lengthMessage = (lengthMax: number): string => `must be no more than ${lengthMax} characters`;
export const rangeMessage = (lowest: number, highest: number): string =>
  `must be between ${lowest} and ${highest}, inclusive`;

/** `message (e.g. 'a',  or 'b', regex used for validation is '…')`, including the double space. */
export function patternMessage(message: string, pattern: string, ...examples: readonly string[]): string {
  const rule = `regex used for validation is '${pattern}')`;
  if (examples.length === 0) return `${message} (${rule}`;
  return `${message} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}${rule}`;
}

const labelKeyMessage = patternMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelKeyFormat,
  'MyName',
  'my.name',
  '123-abc',
);

/** Labels count bytes and say so; all others count bytes and say characters. */
const bytesMessage = (lengthMax: number): string => `must be no more than ${lengthMax} bytes`;

function prefixErrors(prefix: string): string[] {
  if (prefix === '') return [`prefix part ${emptyMessage}`];
  const errors = byteLength(prefix) > dnsSubdomainLengthMax ? [bytesMessage(dnsSubdomainLengthMax)] : [];
  return [...errors, ...subdomainPatternErrors(prefix)].map((message) => `prefix part ${message}`);
}

const subdomainPatternErrors = (value: string): readonly string[] =>
  mismatch(
    dnsSubdomainPattern,
    value,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    dnsSubdomainFormat,
    'example.com',
  );

function parentDirectoryErrors(value: string): readonly string[] {
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

function mismatch(
  pattern: RegExp,
  value: string,
  message: string,
  format: string,
  ...examples: readonly string[]
) {
  return matches(pattern, value) ? [] : [patternMessage(message, format, ...examples)];
}

/** Go's `$` is the end of the text, and its patterns run in linear time; ours are unambiguous, so they do as well. */
const matches = (pattern: RegExp, value: string): boolean => pattern.test(value);

function whole(format: string): RegExp {
  return new RegExp(`^${format}$`);
}

const tooLong = (value: string, lengthMax: number): readonly string[] =>
  byteLength(value) > lengthMax ? [lengthMessage(lengthMax)] : [];

/** In UTF-8, as Go's len counts. */
export function byteLength(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7ff && !(code >= 0xd800 && code <= 0xdfff)) length += 2;
    else if (code > 0x7f) length += 1;
  }
  return length;
}
