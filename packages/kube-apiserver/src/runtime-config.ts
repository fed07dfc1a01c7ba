/** `--runtime-config`: determines which versions and resources this server serves. */
import { groupVersionDirectories, kindsOf } from '@coxswain/api/group-versions.ts';

/** A version of a group. */
export interface GroupVersionSwitch {
  readonly version: string;
  /** Served without `--runtime-config`. */
  readonly byDefault: boolean;
  /** Whether upstream has removed all of it. */
  readonly legacy?: boolean;
}

export interface RuntimeConfig {
  /** Whether everything of Kubernetes 1.20 is requested. */
  readonly legacy: boolean;
  /** `isLegacy`: whether upstream has removed this resource from this version. */
  serves(group: string, version: GroupVersionSwitch, resource: string, isLegacy: boolean): boolean;
  /** Whether `group/version` or `group/version/resource` is requested by name. */
  isNamed(key: string): boolean;
}

/** The command line's settings: `api/all`, `apps/v1`, `/v1`, `extensions/v1beta1/ingresses` → a bool. */
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

/** @throws Error with upstream's message for a setting with an unknown name or an invalid bool */
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
      // A version of which upstream still has a part is requested as upstream: that part only.
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

/** The core group's version has three spellings. */
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
  groupVersionDirectories.flatMap((directory) => {
    const [first] = kindsOf(directory);
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
