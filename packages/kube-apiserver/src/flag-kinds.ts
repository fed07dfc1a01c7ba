/** Types of flags that only the server has. */
import { flagOf, goQuote } from '@coxswain/cobra';

/** `a/v1=true,b/v2=false`, repeatable; stored as one string. */
export const settingPairs = flagOf<string>(
  {
    typeName: 'mapStringString',
    read: (text, previous, changed) => (changed && previous !== '' ? `${previous},${text}` : text),
    show: (value) => value,
  },
  '',
);

/** The log verbosity. */
export const level = flagOf<number>({ typeName: 'Level', read: readLevel, show: String }, 0);

export interface NamedCertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** Empty for those in the certificate. */
  readonly names: readonly string[];
}

/** `foo.crt,foo.key:*.foo.com,foo.com`, repeatable. */
export const namedCertificates = flagOf<readonly NamedCertificateFiles[]>(
  {
    typeName: 'namedCertKey',
    read: (text, previous, changed) => [...(changed ? previous : []), namedCertificate(text)],
    show: (values) =>
      `[${values.map(({ certFile, keyFile, names }) => `${certFile},${keyFile}${names.length > 0 ? `:${names.join(',')}` : ''}`).join(';')}]`,
  },
  [],
);

/** `30000-32767` or `30000+2767`. */
export const portRange = flagOf<string>(
  { typeName: 'portRange', read: readPortRange, show: (value) => value },
  '',
);

function namedCertificate(text: string): NamedCertificateFiles {
  const [files = '', names] = text.split(/:(.*)/s).map((part) => part.trim());
  if (names === '') throw new Error('empty names list is not allowed');
  const [certFile, keyFile, ...others] = files.split(',').map((part) => part.trim());
  if (certFile === undefined || keyFile === undefined || others.length > 0) {
    throw new Error('expected comma separated certificate and key file paths');
  }
  return { certFile, keyFile, names: names?.split(',').map((name) => name.trim()) ?? [] };
}

const portMax = 65_535;

function readPortRange(text: string): string {
  const range = text.trim();
  if (range === '') return '';
  if (range.includes('-') && range.includes('+')) throw new Error(`unable to parse port range: ${range}`);
  const [low = '', offset] = range.split(/[-+](.*)/s);
  const first = readPort(low);
  const second = offset === undefined ? first : readPort(offset);
  const last = range.includes('+') ? first + second : second;
  if (first > portMax || last > portMax) {
    throw new Error(`the port range cannot be greater than ${portMax}: ${range}`);
  }
  if (last < first) throw new Error(`end port cannot be less than start port: ${range}`);
  return `${first}-${last}`;
}

function readPort(text: string): number {
  if (!/^[-+]?\d+$/.test(text)) throw new Error(`strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
  return Number(text);
}

function readLevel(text: string): number {
  if (!/^[-+]?\d+$/.test(text))
    throw new Error(`strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax`);
  return Number(text);
}
