/** Values of this program's own flags; implausible ones are refused with plain messages. */

import { isIP } from 'node:net';
import { flagOf, formatGoDuration, parseGoDuration, stringSlice } from '@coxswain/cobra';
import { parseCidr } from '@coxswain/apimachinery/ip-address.ts';
import { checkDnsSubdomain } from '@coxswain/apimachinery/names.ts';
import { versionNamed } from '@coxswain/component-base/effective-version.ts';

/** An integer in a range. */
const numberIn = (min: number, max: number) =>
  flagOf<number>(
    {
      typeName: 'int',
      read(text) {
        const value = Number(text);
        if (!/^[-+]?\d+$/.test(text) || value < min || value > max)
          throw new Error(`must be a whole number from ${min} to ${max}`);
        return value;
      },
      show: String,
    },
    min,
  );

/** 0 picks a free port. */
export const port = numberIn(0, 65_535);

/** The limit of what one process simulates, which exceeds what Kubernetes supports. */
const simulatedNodesMax = 10_000;
export const simulatedNodes = numberIn(0, simulatedNodesMax);

/** More than a machine has processors is of no use. */
const threadsMax = 64;
export const threads = numberIn(1, threadsMax);

/** URLs have no place for a zone (`fe80::1%eth0`), and Kubernetes refuses IPv4 addresses in the form of IPv6. */
const isAddress = (text: string): boolean => isIP(text) !== 0 && !/%|^::ffff:.*\./i.test(text);
export const address = checkedText(
  isAddress,
  'must be an IP address, without a zone, and not an IPv4-mapped IPv6 address',
);

/** Names and addresses for a certificate; a name may begin with `*.`. */
const texts = stringSlice({ usage: '' }).kind;
export const hostNames = flagOf<readonly string[]>(
  {
    typeName: texts.typeName,
    read(text, previous, changed) {
      const all = texts.read(text, previous, changed);
      if (all.every(isHost)) return all;
      throw new Error('must be host names or IP addresses');
    },
    show: (values) => texts.show(values),
  },
  [],
);

const isHost = (text: string): boolean =>
  isIP(text) !== 0 || checkDnsSubdomain(text.toLowerCase().replace(/^\*\./, '')).length === 0;

/** A duration; 0 has no end. */
export const lifetime = flagOf<number>(
  {
    typeName: 'duration',
    read(text) {
      const durationMs = parseGoDuration(text);
      if (durationMs < 0) throw new Error('must not be negative');
      return durationMs;
    },
    show: formatGoDuration,
  },
  0,
);

/** `10.244.0.0/16` */
export const addressRange = checkedText(
  (text) => parseCidr(text) !== undefined,
  'must be an address range in CIDR notation, such as 10.244.0.0/16',
);

/** A version of Kubernetes that can be emulated: `1.34`. */
export const kubernetesVersion = flagOf<string>(
  {
    typeName: 'string',
    read(text) {
      if (text !== '') versionNamed(text);
      return text;
    },
    show: (value) => value,
  },
  '',
);

/** The empty text is always accepted: it stands for the default. */
function checkedText(isMeant: (text: string) => boolean, otherwise: string) {
  const read = (text: string): string => {
    if (text !== '' && !isMeant(text)) throw new Error(otherwise);
    return text;
  };
  return flagOf<string>({ typeName: 'string', read, show: (value) => value }, '');
}
