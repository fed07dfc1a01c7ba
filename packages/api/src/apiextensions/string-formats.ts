/** The formats of strings that a schema may name; others aren't checked. */

const patterns: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/,
  email: /^[^@\s]+@[^@\s]+$/,
  hostname: /^(?=.{1,255}$)[A-Za-z0-9]([A-Za-z0-9-]{0,62})(\.[A-Za-z0-9]([A-Za-z0-9-]{0,62}))*$/,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/,
  uuid: /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
  uuid3: /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
  uuid4: /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i,
  uuid5: /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i,
  mac: /^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4})$/i,
  hexcolor: /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i,
  'k8s-short-name': /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
  'k8s-long-name': /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
  duration: /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h|d|w))+$|^\d+\s*(?:seconds?|minutes?|hours?|days?|weeks?)$/,
};

const checks: Readonly<Record<string, (value: string) => boolean>> = {
  date: (value) => {
    const ms = Date.parse(`${value}T00:00:00Z`);
    return (
      /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value)
    );
  },
  uri: (value) => URL.canParse(value) || value.startsWith('/'),
  ipv6: (value) => value.includes(':') && URL.canParse(`http://[${value}]/`),
  cidr: isCidr,
};

export function isOfFormat(format: string, value: string): boolean {
  const pattern = patterns[format];
  return pattern === undefined ? (checks[format]?.(value) ?? true) : pattern.test(value);
}

function isCidr(value: string): boolean {
  const [address = '', bits = '', ...rest] = value.split('/');
  if (rest.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  if (patterns['ipv4']!.test(address)) return Number(bits) <= 32;
  return checks['ipv6']!(address) && Number(bits) <= 128;
}

/** Those that the original knows, without dashes; some are checked by it alone. */
export const knownStringFormats: ReadonlySet<string> = new Set(
  'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn hexcolor rgbcolor byte password date duration datetime k8sshortname k8slongname'.split(
    ' ',
  ),
);
