/** Values of a kubeconfig by dotted names: `clusters.red.server`. */
import type { StoredConfig } from './stored.ts';

type Kind = 'string' | 'bool' | 'bytes' | 'other';

const members: Readonly<Record<'clusters' | 'users' | 'contexts', Readonly<Record<string, Kind>>>> = {
  clusters: {
    server: 'string',
    'tls-server-name': 'string',
    'insecure-skip-tls-verify': 'bool',
    'certificate-authority': 'string',
    'certificate-authority-data': 'bytes',
    'proxy-url': 'string',
    'disable-compression': 'bool',
    extensions: 'other',
  },
  users: {
    'client-certificate': 'string',
    'client-certificate-data': 'bytes',
    'client-key': 'string',
    'client-key-data': 'bytes',
    token: 'string',
    tokenFile: 'string',
    as: 'string',
    'as-uid': 'string',
    'as-groups': 'other',
    'as-user-extra': 'other',
    username: 'string',
    password: 'string',
    'auth-provider': 'other',
    exec: 'other',
    extensions: 'other',
  },
  contexts: { cluster: 'string', user: 'string', namespace: 'string', extensions: 'other' },
};

type SectionName = keyof typeof members;

interface Property {
  readonly section: SectionName;
  readonly name: string;
  readonly member: string | undefined;
}

/** Names of entries may have dots: they end where a member is named. */
function parse(property: string): Property | 'current-context' {
  const [first = '', ...rest] = property.split('.');
  if (first === 'current-context') return first;
  if (!(first in members)) throw new Error(`unable to parse ${property} after [] at api.Config`);
  const section = first as SectionName;
  const at = rest.findIndex((part, index) => index > 0 && part in members[section]);
  if (at < 0) return { section, name: rest.join('.'), member: undefined };
  if (at < rest.length - 1)
    throw new Error(`can't have more steps after a string. ${rest.slice(at).join('.')}`);
  return { section, name: rest.slice(0, at).join('.'), member: rest[at] };
}

/** @throws Error when there is no such property, or the value is of another kind */
export function setProperty(config: StoredConfig, path: string, value: string, raw: boolean): void {
  const property = parse(path);
  if (property === 'current-context') {
    config.currentContext = value;
    return;
  }
  const { section, name, member } = property;
  if (member === undefined) throw new Error("can't set a map to a value: map[]");
  const read = readers[members[section][member] as Kind];
  const entries = config[section] as Map<string, { file: string | undefined; value: object }>;
  const before = entries.get(name);
  entries.set(name, { file: before?.file, value: { ...before?.value, [member]: read(value, raw) } });
}

const readers: Readonly<Record<Kind, (text: string, raw: boolean) => unknown>> = {
  string: (text) => text,
  bytes(text, raw) {
    if (raw) return Buffer.from(text).toString('base64');
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
      throw new Error('error decoding input value: illegal base64 data at input byte 0');
    }
    return text;
  },
  bool(text) {
    if (/^(?:1|t|T|TRUE|true|True)$/.test(text)) return true;
    if (/^(?:0|f|F|FALSE|false|False)$/.test(text)) return false;
    throw new Error(`strconv.ParseBool: parsing "${text}": invalid syntax`);
  },
  other() {
    throw new Error('unrecognized slice type. struct');
  },
};

/** @throws Error when there is no such property */
export function unsetProperty(config: StoredConfig, path: string): void {
  const property = parse(path);
  if (property === 'current-context') {
    config.currentContext = '';
    return;
  }
  const { section, name, member } = property;
  const entries = config[section] as Map<string, { file: string | undefined; value: object }>;
  if (name === '') return entries.clear();
  if (member === undefined) {
    entries.delete(name);
    return;
  }
  const before = entries.get(name);
  if (before === undefined) throw new Error(`current map key \`${name}\` is invalid`);
  entries.set(name, { ...before, value: { ...before.value, [member]: undefined } });
}
