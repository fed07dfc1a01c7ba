/** Builds profiles from a configuration: the plugins of each extension point, in order. */
import type { AnyPlugin } from '../framework/plugin.ts';
import {
  extensionPoints,
  hasPoint,
  untyped,
  type ExtensionPoint,
  type Profile,
  type UntypedPlugin,
} from '../framework/profile.ts';
import type {
  KubeSchedulerConfiguration,
  PluginPoint,
  PluginSet,
  SchedulerConfiguration,
} from './configuration.ts';
import { withErrorPrefix } from './error-prefix.ts';
import { defaultPlugins, type PluginFactory } from './default-plugins.ts';
import { completeConfiguration, type IsFeatureOn } from './load-configuration.ts';
import { scoreWeights } from './score-weights.ts';

export interface ProfileOptions {
  /** Plugins in addition to the built-in ones; profiles enable them by name. */
  readonly plugins?: readonly PluginFactory[] | undefined;
  readonly isFeatureOn?: IsFeatureOn | undefined;
}

type GivenProfile = NonNullable<SchedulerConfiguration['profiles']>[number];

/**
 * Returns the profiles of a configuration, or the default profile.
 * @throws Error for an invalid configuration, unknown plugins, or arguments that a plugin does not accept
 */
export function profilesOf(
  given: KubeSchedulerConfiguration = {},
  options: ProfileOptions = {},
): readonly Profile[] {
  return completeProfiles(completeConfiguration(given, options.isFeatureOn), options.plugins);
}

/**
 * The same, of a complete configuration.
 * @throws Error for unknown plugins, or arguments that a plugin does not accept
 */
export function completeProfiles(
  configuration: SchedulerConfiguration,
  plugins: readonly PluginFactory[] = [],
): readonly Profile[] {
  const factories = new Map([...defaultPlugins, ...plugins].map((factory) => [factory.name, factory]));
  return configuration.profiles!.map((profile) => {
    const place = `initializing profiles: creating profile for scheduler name ${profile.schedulerName}: `;
    const percentage = configuration.percentageOfNodesToScore ?? 0;
    return withErrorPrefix(place, () => profileOf(profile, percentage, factories));
  });
}

function profileOf(
  { schedulerName = '', percentageOfNodesToScore, plugins, pluginConfig = [] }: GivenProfile,
  percentage: number,
  factories: ReadonlyMap<string, PluginFactory>,
): Profile {
  const sets = plugins!;
  const args = new Map(pluginConfig.map((entry) => [entry.name, entry.args]));
  const made = new Map<string, AnyPlugin>();
  for (const { enabled = [] } of Object.values(sets))
    for (const { name } of enabled) {
      const factory = factories.get(name);
      if (factory !== undefined && !made.has(name)) made.set(name, makePlugin(factory, args.get(name)));
    }
  checkPoints(sets, made);
  const points = Object.fromEntries(
    extensionPoints.map((point) => [point, pluginsAt(point, sets[point], sets.multiPoint, made)]),
  ) as unknown as Profile['points'];
  const named = `for profile with scheduler name "${schedulerName}"`;
  if (points.queueSort.length !== 1)
    throw new Error(`only one queue sort plugin required ${named}, but got ${points.queueSort.length}`);
  if (points.bind.length === 0) throw new Error(`at least one bind plugin is needed ${named}`);
  const scored = [...(sets.score.enabled ?? []), ...(sets.multiPoint.enabled ?? [])];
  return {
    schedulerName,
    percentageOfNodesToScore: percentageOfNodesToScore ?? percentage,
    points,
    weights: scoreWeights(scored.filter(({ name }) => hasPoint(made.get(name)!, 'score'))),
  };
}

const makePlugin = ({ name, make }: PluginFactory, args: unknown): AnyPlugin =>
  withErrorPrefix(`initializing plugin "${name}": `, () => make((args ?? {}) as never));

/** In the order in which upstream checks for mistakes. */
const checkedPoints: readonly PluginPoint[] = [
  'preFilter',
  'filter',
  'postFilter',
  'reserve',
  'preScore',
  'score',
  'preBind',
  'bind',
  'postBind',
  'permit',
  'preEnqueue',
  'queueSort',
  'placementGenerate',
  'placementScore',
];

/** `ScorePlugin` */
const pointName = (point: string): string => `${point[0]!.toUpperCase()}${point.slice(1)}Plugin`;

const twice = (name: string, point: string): Error =>
  new Error(`plugin "${name}" already registered as "${pointName(point)}"`);

/** @throws Error for plugins that are unknown, don't implement the extension point, or are listed twice */
function checkPoints(sets: NonNullable<GivenProfile['plugins']>, made: ReadonlyMap<string, AnyPlugin>): void {
  for (const point of checkedPoints) {
    const seen = new Set<string>();
    for (const { name } of sets[point].enabled ?? []) {
      const plugin = made.get(name);
      if (plugin === undefined) throw new Error(`${pointName(point)} "${name}" does not exist`);
      if (!hasPoint(plugin, point as ExtensionPoint))
        throw new Error(`plugin "${name}" does not extend ${pointName(point)} plugin`);
      if (seen.has(name)) throw twice(name, point);
      seen.add(name);
    }
  }
  const unknown = sets.multiPoint.enabled?.find(({ name }) => !made.has(name));
  if (unknown !== undefined)
    throw new Error(`${pointName(checkedPoints[0]!)} "${unknown.name}" does not exist`);
}

/**
 * First the multiPoint plugins that the extension point lists, then the other multiPoint plugins, then the extension
 * point's own.
 */
function pluginsAt(
  point: ExtensionPoint,
  { enabled = [], disabled = [] }: PluginSet,
  { enabled: everywhere = [] }: PluginSet,
  made: ReadonlyMap<string, AnyPlugin>,
): UntypedPlugin[] {
  const off = new Set(disabled.map(({ name }) => name));
  const own = enabled.map(({ name }) => name);
  const inherited = off.has('*')
    ? []
    : everywhere.map(({ name }) => name).filter((name) => hasPoint(made.get(name)!, point) && !off.has(name));
  const added = inherited.filter((name) => !own.includes(name));
  const repeated = added.find((name, index) => added.indexOf(name) < index);
  if (repeated !== undefined) throw twice(repeated, point);
  const overriding = own.filter((name) => inherited.includes(name));
  const names = [...overriding, ...added, ...own.filter((name) => !overriding.includes(name))];
  return names.map((name) => untyped(made.get(name)!));
}
