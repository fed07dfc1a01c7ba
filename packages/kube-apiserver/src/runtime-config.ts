/** `--runtime-config`: which versions and resources this server serves. */
import { groupVersionFolders, kindsOf } from '@coxswain/api/group-versions.ts';

/** A version of a group. */
export interface GroupVersionSwitch {
  readonly version: string;
  /** Served without being asked for by `--runtime-config`. */
  readonly byDefault: boolean;
  /** Nothing of it is left in the original. */
  readonly legacy?: boolean;
}

export interface RuntimeConfig {
  /** Whether everything that Kubernetes 1.20 had is asked for. */
  readonly legacy: boolean;
  /** `isLegacy`: the original has this resource in this version no more. */
  serves(group: string, version: GroupVersionSwitch, resource: string, isLegacy: boolean): boolean;
  /** Whether `group/version` or `group/version/resource` is asked for by this name. */
  isNamed(key: string): boolean;
}

/** What is said on the command line: `api/all`, `apps/v1`, `/v1`, `extensions/v1beta1/ingresses` → a bool. */
export type RuntimeSettings = Readonly<Record<string, boolean | string>>;

/** Every pair of `api/all=true,apps/v1=false`; a name without a value means true. */
export function parseRuntimeConfig(text: string): RuntimeSettings {
  const settings: Record<string, string> = {};
  for (const setting of text.split(',').filter((part) => part !== '')) {
    const equals = setting.indexOf('=');
    if (equals < 0) settings[setting] = 'true';
    else settings[setting.slice(0, equals)] = setting.slice(equals + 1);
  }
  return settings;
}

/** @throws Error with the original's text for a setting that names nothing or is no bool */
export function runtimeConfig(settings: RuntimeSettings): RuntimeConfig {
  const said = new Map(Object.entries(settings).map(([key, value]) => [aliasOf(key), value]));
  const legacy = said.get(legacyKey) === true || said.get(legacyKey) === 'true';
  said.delete(legacyKey);
  checkGroups([...said.keys()].filter((key) => !isMatcher(key)));
  if (said.size === 1 && String(said.get('api/all')) === 'false') {
    throw new Error('invalid runtime-config with only api/all=false');
  }
  const chosen = new Map([...said].map(([key, value]) => [key, boolOf(key, value)]));
  for (const key of chosen.keys()) if (!isMatcher(key)) checkKey(key);
  return { legacy, serves: servedBy(chosen, legacy), isNamed: (key) => chosen.get(key) === true };
}

function servedBy(chosen: ReadonlyMap<string, boolean>, legacy: boolean): RuntimeConfig['serves'] {
  return (group, { version, byDefault, legacy: isLegacyVersion }, resource, isLegacy) => {
    const groupVersion = `${group}/${version}`;
    const ofVersion = chosen.get(groupVersion);
    const explicit = chosen.get(`${groupVersion}/${resource}`);
    if (isLegacy) {
      // A version of which the original still has a part is asked for as there: that part, and no more.
      const asked = isLegacyVersion === true || ofVersion === false ? ofVersion : undefined;
      return explicit ?? asked ?? legacy;
    }
    return explicit ?? ofVersion ?? chosen.get(stageOf(version)) ?? chosen.get('api/all') ?? byDefault;
  };
}

const legacyKey = 'api/legacy';
const matchers: readonly string[] = ['api/all', 'api/ga', 'api/beta', 'api/alpha'];
const isMatcher = (key: string): boolean => matchers.includes(key);

const stageOf = (version: string): string =>
  version.includes('alpha') ? 'api/alpha' : version.includes('beta') ? 'api/beta' : 'api/ga';

/** The core group's version has three names. */
const aliasOf = (key: string): string => (/^(api\/)?v1(\/|$)/.test(key) ? '/v1' : key);

/** @throws Error */
function checkGroups(keys: readonly string[]): void {
  const malformed = keys.find((key) => !/^[^/]*\/[^/]+(\/[^/]+)?$/.test(key));
  if (malformed !== undefined) throw new Error(`runtime-config invalid key ${malformed}`);
  const groups = new Set(knownGroupVersions().map((groupVersion) => groupVersion.split('/')[0]));
  const unknown = keys.map((key) => key.split('/')).filter(([group]) => !groups.has(group));
  if (unknown.length > 0) {
    const names = unknown.map(([group, version]) => `${group}/${version}`);
    throw new Error(`unknown api groups ${names.join(',')}`);
  }
}

/** @throws Error */
function checkKey(key: string): void {
  const [group, version, resource] = key.split('/');
  const groupVersion = `${group}/${version}`;
  if (!knownGroupVersions().includes(groupVersion)) {
    throw new Error(`group version ${groupVersion} that has not been registered`);
  }
  if (resource !== undefined && resource !== resource.toLowerCase()) {
    throw new Error(
      `invalid key ${key}: group/version/resource and resource is always lowercase plural, not ${JSON.stringify(resource)}`,
    );
  }
}

const knownGroupVersions = (): readonly string[] =>
  groupVersionFolders.flatMap((folder) => {
    const [first] = kindsOf(folder);
    return first === undefined ? [] : [`${first.group}/${first.version}`];
  });

/** @throws Error */
function boolOf(key: string, value: boolean | string): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  if (isMatcher(key)) throw new Error(`invalid value ${key}=${value}`);
  if (value === '' || /^(1|t|T|TRUE|True)$/.test(value)) return true;
  if (/^(0|f|F|FALSE|False)$/.test(value)) return false;
  throw new Error(
    `invalid value of ${key}: ${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
  );
}
