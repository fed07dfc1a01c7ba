/**
 * Determines which kinds are served in which versions: by `--runtime-config`, feature gates, and the emulated version.
 */
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { Kind } from '@coxswain/schema';
import type { RuntimeConfig, GroupVersionSwitch } from '../runtime-config.ts';
import { goneIn } from './deprecations.ts';
import { introducedIn } from './introductions.ts';
import { isAlpha, isBefore } from './version-order.ts';
import type { Group, OtherVersion, Resource } from './resource.ts';

export interface ServingRules {
  readonly runtime: RuntimeConfig;
  readonly features: FeatureGates;
  /** Whether later versions of served kinds are served, too. */
  readonly emulationForwardCompatible?: boolean;
  /** Whether later kinds are served if requested by name. */
  readonly runtimeConfigEmulationForwardCompatible?: boolean;
}

/** @throws Error with upstream's message if a later kind is requested */
export function servedKinds(groups: readonly Group[], rules: ServingRules): ReadonlySet<Kind> {
  const switches = new Map(
    groups.flatMap((group) =>
      versionsOf(group, rules).map((version) => [`${group.name}/${version.version}`, version] as const),
    ),
  );
  const kinds = new Set(
    groups.flatMap(({ resources }) => resources.flatMap((one) => served(one, switches, rules))),
  );
  for (const group of groups) checkVersions(group, kinds, rules);
  return kinds;
}

/** With forward compatibility, versions after the served ones are served, too. */
function versionsOf(
  { name, versions }: Group,
  { runtime, emulationForwardCompatible = false }: ServingRules,
): readonly GroupVersionSwitch[] {
  if (!emulationForwardCompatible) return versions;
  const isOn = (version: GroupVersionSwitch) =>
    !isAlpha(version.version) && runtime.serves(name, version, '', version.legacy ?? false);
  return versions.map((version) => {
    const hasEarlier = versions.some((other) => isOn(other) && isBefore(other.version, version.version));
    return hasEarlier ? { ...version, byDefault: true } : version;
  });
}

/** The served versions of a resource, earliest first, since they may cause later ones to be served. */
function served(
  { kind, legacy, alsoAs, gate }: Resource,
  switches: ReadonlyMap<string, GroupVersionSwitch>,
  rules: ServingRules,
): readonly Kind[] {
  const main: OtherVersion = legacy === undefined ? { kind } : { kind, legacy };
  const forms =
    alsoAs.length === 0
      ? [main]
      : [main, ...alsoAs].sort((a, b) => (isBefore(a.kind.version, b.kind.version) ? -1 : 1));
  const earlier: Kind[] = [];
  const kept: Kind[] = [];
  for (const form of forms) {
    const version = switches.get(`${form.kind.group}/${form.kind.version}`);
    if (version === undefined) continue;
    const isLegacy = form.legacy ?? false;
    const follows =
      rules.emulationForwardCompatible === true && earlier.some(({ group }) => group === form.kind.group);
    const byDefault = version.byDefault || (follows && !isAlpha(form.kind.version));
    const { group, names } = form.kind;
    const inUse = byDefault === version.byDefault ? version : { ...version, byDefault };
    if (!rules.runtime.serves(group, inUse, names!.plural, isLegacy)) continue;
    if (!isLegacy && gate !== undefined && !rules.features.enabled(gate)) continue;
    if (!isLegacy && !isThere(form.kind, follows, rules)) continue;
    kept.push(form.kind);
    if (!isLegacy && !isAlpha(form.kind.version)) earlier.push(form.kind);
  }
  return kept;
}

/** @throws Error */
function isThere(kind: Kind, follows: boolean, rules: ServingRules): boolean {
  const { emulated } = rules.features.version;
  if (goneIn(kind) <= emulated) return false;
  const since = introducedIn(kind);
  if (since <= emulated || follows) return true;
  const { group, version, names } = kind;
  const isNamed = rules.runtime.isNamed(`${group}/${version}/${names!.plural}`);
  if (rules.runtimeConfigEmulationForwardCompatible === true) {
    return isNamed || rules.runtime.isNamed(`${group}/${version}`);
  }
  if (!isNamed) return false;
  throw new Error(
    `cannot enable resource ${group}/${version}, Resource=${names!.plural} in runtime-config because it is introduced at 1.${since} after the current version 1.${emulated}. ${advice}`,
  );
}

const advice = 'Consider setting --runtime-config-emulation-forward-compatible=true';

/** @throws Error for a version that is requested by name and has no kinds yet */
function checkVersions(
  { name, versions, resources }: Group,
  kinds: ReadonlySet<Kind>,
  { runtime, features }: ServingRules,
): void {
  const { emulated } = features.version;
  for (const { version } of versions) {
    if (!runtime.isNamed(`${name}/${version}`)) continue;
    const there = resources
      .flatMap(({ kind, alsoAs }) => [kind, ...alsoAs.filter(({ legacy }) => !legacy).map((one) => one.kind)])
      .filter((kind) => kind.group === name && kind.version === version);
    const isNew = there.some((kind) => introducedIn(kind) > emulated);
    if (!isNew || there.some((kind) => kinds.has(kind))) continue;
    throw new Error(
      `cannot enable version ${name}/${version} in runtime-config because all the resources have been introduced after the current version 1.${emulated}. ${advice}`,
    );
  }
}
