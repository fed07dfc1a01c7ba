/** The defaults of a scheduler configuration. */
import { parseDurationMs } from '@coxswain/apimachinery';
import {
  configurationVersion,
  type PluginPoint,
  type PluginSet,
  type SchedulerConfiguration,
} from './configuration.ts';
import { withDefaultArgs } from './default-args.ts';
import { defaultPlugins } from './default-plugins.ts';
import { decodeArgs } from './decode-args.ts';
import { takesArgs, type ArgsName, type PluginArgs } from './plugin-args.ts';

const defaultSchedulerName = 'default-scheduler';

type Profile = NonNullable<SchedulerConfiguration['profiles']>[number];
type Plugins = NonNullable<Profile['plugins']>;

/** Fills in everything that was omitted. Plugin arguments are already decoded. */
export function withDefaults(
  given: SchedulerConfiguration,
  isFeatureOn: (gate: string) => boolean,
): SchedulerConfiguration {
  const { leaderElection, clientConnection, profiles = [] } = given;
  const all = profiles.length === 0 ? [{}] : profiles;
  const enableProfiling = given.enableProfiling ?? true;
  return {
    ...given,
    parallelism: given.parallelism ?? 16,
    leaderElection: {
      leaderElect: leaderElection.leaderElect ?? true,
      leaseDuration: orDuration(leaderElection.leaseDuration, '15s'),
      renewDeadline: orDuration(leaderElection.renewDeadline, '10s'),
      retryPeriod: orDuration(leaderElection.retryPeriod, '2s'),
      resourceLock: leaderElection.resourceLock || 'leases',
      resourceName: leaderElection.resourceName || 'kube-scheduler',
      resourceNamespace: leaderElection.resourceNamespace || 'kube-system',
    },
    clientConnection: {
      ...clientConnection,
      contentType: clientConnection.contentType || 'application/vnd.kubernetes.protobuf',
      qps: clientConnection.qps || 50,
      burst: clientConnection.burst || 100,
    },
    enableProfiling,
    enableContentionProfiling: given.enableContentionProfiling ?? enableProfiling,
    percentageOfNodesToScore: given.percentageOfNodesToScore ?? 0,
    podInitialBackoffSeconds: given.podInitialBackoffSeconds ?? 1,
    podMaxBackoffSeconds: given.podMaxBackoffSeconds ?? 10,
    // With several profiles, each needs its own name.
    profiles: all.map((profile) => profileWithDefaults(profile, all.length === 1, isFeatureOn)),
    ...(given.extenders && {
      extenders: given.extenders.map((one) => ({ ...one, httpTimeout: orDuration(one.httpTimeout, '5s') })),
    }),
  };
}

const orDuration = (given: string | undefined, otherwise: string): string =>
  given === undefined || parseDurationMs(given) === 0 ? otherwise : given;

function profileWithDefaults(
  { schedulerName, plugins, pluginConfig = [], ...rest }: Profile,
  isOnly: boolean,
  isFeatureOn: (gate: string) => boolean,
): Profile {
  const merged = mergedPlugins(plugins, isFeatureOn);
  const enabled = Object.values(merged).flatMap((set) => (set.enabled ?? []).map(({ name }) => name));
  const stated = new Set(pluginConfig.map(({ name }) => name));
  const unstated = [...new Set(enabled)].sort().filter((name) => takesArgs(name) && !stated.has(name));
  const name = schedulerName ?? (isOnly ? defaultSchedulerName : undefined);
  return {
    ...(name === undefined ? {} : { schedulerName: name }),
    ...rest,
    plugins: merged,
    pluginConfig: [
      ...pluginConfig,
      ...unstated.map((plugin) => ({ name: plugin, args: decodeArgs(plugin, undefined).args })),
    ].map((entry) =>
      takesArgs(entry.name)
        ? { ...entry, args: completeArgs(entry.name, entry.args as PluginArgs[ArgsName]) }
        : entry,
    ),
  };
}

const completeArgs = <K extends ArgsName>(plugin: K, args: PluginArgs[K]): PluginArgs[K] => ({
  ...withDefaultArgs(plugin, args),
  apiVersion: configurationVersion,
  kind: `${plugin}Args`,
});

/** The default plugins, all at `multiPoint`, modified by the given ones. */
function mergedPlugins(given: Plugins | undefined, isFeatureOn: (gate: string) => boolean): Plugins {
  const enabled = defaultPlugins
    .filter(({ isOptional, gate }) => !isOptional && (gate === undefined || isFeatureOn(gate)))
    .map(({ name, weight }) => ({ name, weight }));
  const points = Object.keys(noPlugins) as PluginPoint[];
  return Object.fromEntries(
    points.map((point) => [
      point,
      mergedSet(point === 'multiPoint' ? enabled : [], given?.[point] ?? noPlugins[point]),
    ]),
  ) as unknown as Plugins;
}

const noPlugins: Plugins = {
  preEnqueue: {},
  queueSort: {},
  preFilter: {},
  filter: {},
  postFilter: {},
  preScore: {},
  score: {},
  reserve: {},
  permit: {},
  preBind: {},
  bind: {},
  postBind: {},
  multiPoint: {},
  placementGenerate: {},
  placementScore: {},
};

type Entries = NonNullable<PluginSet['enabled']>;

/** Returns the defaults without disabled ones, replaced in place if listed again, followed by the others. */
function mergedSet(defaults: Entries, { enabled = [], disabled = [] }: PluginSet): PluginSet {
  const off = new Set(disabled.map(({ name }) => name));
  const kept = off.has('*') ? [] : defaults.filter(({ name }) => !off.has(name));
  const replacements = new Map(enabled.map((entry) => [entry.name, entry]));
  const replaced = new Set(kept.map(({ name }) => replacements.get(name)));
  const all = [
    ...kept.map((entry) => replacements.get(entry.name) ?? entry),
    ...enabled.filter((entry) => !replaced.has(entry)),
  ];
  return {
    ...(all.length > 0 && { enabled: all.map(({ name, weight = 0 }) => ({ name, weight })) }),
    ...(disabled.length > 0 && { disabled: disabled.map(({ name }) => ({ name, weight: 0 })) }),
  };
}
