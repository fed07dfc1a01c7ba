import type { AnyPlugin } from '../framework/plugin.ts';
import { extensionPoints, hasPoint, untyped } from '../framework/profile.ts';
import type { ExtensionPoint, Profile, UntypedPlugin } from '../framework/profile.ts';
import type { KubeSchedulerConfiguration, PluginSet, ProfileConfiguration } from './configuration.ts';
import { defaultPlugins } from './default-plugins.ts';

export const defaultSchedulerName = 'default-scheduler';

/**
 * The profiles of a configuration; the default one without any.
 * @throws Error for two profiles of one name, unknown plugins, or args that a plugin cannot take
 */
export function profilesOf(configuration: KubeSchedulerConfiguration = {}): readonly Profile[] {
  const profiles = (configuration.profiles ?? [{}]).map((profile) =>
    profileOf(profile, configuration.percentageOfNodesToScore ?? 0),
  );
  const names = profiles.map(({ schedulerName }) => schedulerName);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`duplicate profile with scheduler name "${twice}"`);
  return profiles;
}

function profileOf(profile: ProfileConfiguration, percentage: number): Profile {
  const registry = new Map(defaultPlugins.map(({ name, make }) => [name, make]));
  const args = new Map((profile.pluginConfig ?? []).map((entry) => [entry.name, entry.args]));
  const made = new Map<string, AnyPlugin>();
  const pluginNamed = (name: string): AnyPlugin => {
    const make = registry.get(name);
    if (make === undefined)
      throw new Error(`initializing profiles: plugin "${name}" does not exist in the framework`);
    let plugin = made.get(name);
    if (plugin === undefined) made.set(name, (plugin = make((args.get(name) ?? {}) as never)));
    return plugin;
  };
  const weights = new Map(defaultPlugins.map(({ name, weight }) => [name, weight]));
  const everywhere = mergeSet(defaultPlugins, profile.plugins?.['multiPoint']);
  for (const { name, weight } of everywhere) if (weight) weights.set(name, weight);
  const atPoint = (point: ExtensionPoint): UntypedPlugin[] => {
    const set = profile.plugins?.[point];
    if (point === 'score')
      for (const { name, weight } of set?.enabled ?? []) if (weight) weights.set(name, weight);
    const inherited = everywhere.filter(({ name }) => hasPoint(pluginNamed(name), point));
    return mergeSet(inherited, set).map(({ name }) => untyped(pluginNamed(name)));
  };
  const points = Object.fromEntries(extensionPoints.map((point) => [point, atPoint(point)]));
  return {
    schedulerName: profile.schedulerName ?? defaultSchedulerName,
    percentageOfNodesToScore: profile.percentageOfNodesToScore ?? percentage,
    points: points as unknown as Profile['points'],
    weights,
  };
}

interface Entry {
  readonly name: string;
  readonly weight?: number;
}

/** Defaults less what is switched off, replaced in place where named again, then the others. */
function mergeSet(defaults: readonly Entry[], set: PluginSet | undefined): readonly Entry[] {
  const disabled = new Set((set?.disabled ?? []).map(({ name }) => name));
  const enabled = set?.enabled ?? [];
  const kept = disabled.has('*') ? [] : defaults.filter(({ name }) => !disabled.has(name));
  const replaced = kept.map((entry) => enabled.find(({ name }) => name === entry.name) ?? entry);
  return [...replaced, ...enabled.filter(({ name }) => !kept.some((entry) => entry.name === name))];
}
