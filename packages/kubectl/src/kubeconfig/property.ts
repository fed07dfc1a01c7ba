/** Access to kubeconfig values by dotted names: `clusters.red.server`. Field names are kubectl's internal ones. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { canonicalBase64 } from '@coxswain/schema/scalars/base64.ts';
import type { StoredConfig } from './stored.ts';

/** `pointer`: a value that can only be set as a whole. `slice`: of anything but bytes. */
type Leaf = 'string' | 'bool' | 'bytes' | 'slice' | 'pointer';
type Shape = Leaf | Struct | Entries | 'anything by name' | 'lists by name';

interface Struct {
  /** Upstream's name of the type. */
  readonly type: string;
  readonly members: Readonly<Record<string, Shape>>;
}

interface Entries {
  readonly each: Struct;
}

const cluster: Struct = {
  type: 'api.Cluster',
  members: {
    server: 'string',
    'tls-server-name': 'string',
    'insecure-skip-tls-verify': 'bool',
    'certificate-authority': 'string',
    'certificate-authority-data': 'bytes',
    'proxy-url': 'string',
    'disable-compression': 'bool',
    extensions: 'anything by name',
  },
};

const user: Struct = {
  type: 'api.AuthInfo',
  members: {
    'client-certificate': 'string',
    'client-certificate-data': 'bytes',
    'client-key': 'string',
    'client-key-data': 'bytes',
    token: 'string',
    tokenFile: 'string',
    'act-as': 'string',
    'act-as-uid': 'string',
    'act-as-groups': 'slice',
    'act-as-user-extra': 'lists by name',
    username: 'string',
    password: 'string',
    'auth-provider': 'pointer',
    exec: 'pointer',
    extensions: 'anything by name',
  },
};

const contextEntry: Struct = {
  type: 'api.Context',
  members: { cluster: 'string', user: 'string', namespace: 'string', extensions: 'anything by name' },
};

const root: Struct = {
  type: 'api.Config',
  members: {
    kind: 'string',
    apiVersion: 'string',
    preferences: { type: 'api.Preferences', members: { colors: 'bool', extensions: 'anything by name' } },
    clusters: { each: cluster },
    users: { each: user },
    contexts: { each: contextEntry },
    'current-context': 'string',
    extensions: 'anything by name',
  },
};

interface Property {
  readonly steps: readonly string[];
  readonly shape: Shape;
}

const isStruct = (shape: Shape): shape is Struct => typeof shape === 'object' && 'members' in shape;
const isEntries = (shape: Shape): shape is Entries => typeof shape === 'object' && 'each' in shape;

/** Names of entries may contain dots: they end before a known field name. */
function parse(property: string): Property {
  const parts = property.split('.');
  const steps: string[] = [];
  let shape: Shape = root;
  while (parts.length > 0) {
    if (isStruct(shape)) {
      const name = parts.shift() as string;
      const member: Shape | undefined = shape.members[name];
      if (member === undefined)
        throw new Error(`unable to parse ${property} after ${reportedSteps(steps)} at ${shape.type}`);
      steps.push(name);
      shape = member;
    } else if (isEntries(shape)) {
      const { each }: Entries = shape;
      const end = parts.findIndex((part, index) => index > 0 && part in each.members);
      steps.push(parts.splice(0, end < 0 ? parts.length : end).join('.'));
      shape = each;
    } else throw new Error(cannotGoOn(shape, property));
  }
  return { steps, shape };
}

function cannotGoOn(shape: Shape, property: string): string {
  if (shape === 'lists by name') return 'string is not of type struct';
  return `unable to parse one or more field values of ${property}`;
}

/** Upstream prints the memory address of the types. */
const someAddress = '0xc000000000';

const reportedSteps = (steps: readonly string[]): string =>
  `[${steps.map((step) => `{${step} ${someAddress}}`).join(' ')}]`;

const reportedMap = (keys: Iterable<string>): string =>
  `map[${[...keys]
    .sort()
    .map((key) => `${key}:${someAddress}`)
    .join(' ')}]`;

type EntrySection = 'clusters' | 'users' | 'contexts';
type EntryMap = Map<string, { file: string | undefined; value: object }>;

const entriesOf = (config: StoredConfig, section: string): EntryMap =>
  config[section as EntrySection] as EntryMap;

/** The field's name in files. */
const memberInFile = (name: string): string => name.replace(/^act-as/, 'as');

/** @throws Error if there is no such property, or the value has another type */
export function setProperty(config: StoredConfig, path: string, value: string, raw: boolean): void {
  const { steps, shape } = parse(path);
  const [first = '', second = '', third] = steps;
  if (isEntries(root.members[first] as Shape)) {
    const entries = entriesOf(config, first);
    if (third === undefined) throw new Error(`can't set a map to a value: ${reportedMap(entries.keys())}`);
    const before = entries.get(second);
    const read = valueOf(shape, value, raw);
    entries.set(second, { file: before?.file, value: { ...before?.value, [memberInFile(third)]: read } });
    return;
  }
  if (steps.length === 1 && isStruct(shape)) {
    const place = 'config.navigationStep{stepValue:"", stepType:reflect.Type(nil)}';
    throw new Error(`unable to locate path ${place} under {${config.preferences.colors ?? false} map[]}`);
  }
  const read = valueOf(shape, value, raw);
  if (first === 'current-context') config.currentContext = value;
  else if (first === 'preferences') config.preferences = { ...config.preferences, [second]: read };
}

function valueOf(shape: Shape, text: string, raw: boolean): unknown {
  switch (shape) {
    case 'string':
      return text;
    case 'bool':
      return readBool(text);
    case 'bytes':
      return raw ? Buffer.from(text).toString('base64') : readBase64(text);
    case 'slice':
      throw new Error('unrecognized slice type. string');
    case 'pointer':
      throw new Error('unrecognized type: <nil>');
    default:
      throw new Error("can't set a map to a value: map[]");
  }
}

function readBool(text: string): boolean {
  if (/^(?:1|t|T|TRUE|true|True)$/.test(text)) return true;
  if (/^(?:0|f|F|FALSE|false|False)$/.test(text)) return false;
  throw new Error(`strconv.ParseBool: parsing "${text}": invalid syntax`);
}

function readBase64(text: string): string {
  try {
    return canonicalBase64(text);
  } catch (failure) {
    throw new Error(`error decoding input value: ${messageOf(failure)}`, { cause: failure });
  }
}

/** @throws Error if there is no such property */
export function unsetProperty(config: StoredConfig, path: string): void {
  const { steps } = parse(path);
  const [first = '', second, third] = steps;
  if (first === 'current-context') config.currentContext = '';
  else if (first === 'preferences') {
    config.preferences = second === undefined ? {} : { ...config.preferences, [second]: undefined };
  } else if (isEntries(root.members[first] as Shape)) unsetEntry(entriesOf(config, first), second, third);
}

function unsetEntry(entries: EntryMap, name: string | undefined, member: string | undefined): void {
  if (name === undefined) return entries.clear();
  if (member === undefined) {
    entries.delete(name);
    return;
  }
  const before = entries.get(name);
  if (before === undefined) throw new Error(`current map key \`${name}\` is invalid`);
  entries.set(name, { ...before, value: { ...before.value, [memberInFile(member)]: undefined } });
}
