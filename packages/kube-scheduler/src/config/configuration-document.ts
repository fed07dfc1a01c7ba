/** The effective configuration in the form of its file, for `/configz` and `--write-config-to`. */
import { encode } from '@coxswain/schema/encode.ts';
import { configurationKind, configurationVersion, SchedulerConfiguration } from './configuration.ts';
import { defaultPlugins } from './default-plugins.ts';
import { pluginArgTypes, takesArgs } from './plugin-args.ts';

export function configurationDocument(configuration: SchedulerConfiguration): object {
  const profiles = configuration.profiles?.map((profile) => ({
    ...profile,
    pluginConfig: usedArgs(profile),
  }));
  const kind = { kind: configurationKind, apiVersion: configurationVersion };
  return JSON.parse(encode(SchedulerConfiguration, { ...configuration, ...kind, profiles })) as object;
}

type Profile = NonNullable<SchedulerConfiguration['profiles']>[number];

/** The arguments of the profile's plugins, by name. */
function usedArgs({ plugins, pluginConfig = [] }: Profile): NonNullable<Profile['pluginConfig']> {
  const sets = Object.values(plugins ?? {});
  const used = new Set(sets.flatMap(({ enabled = [] }) => enabled.map(({ name }) => name)));
  return pluginConfig
    .filter(({ name, args }) => args !== undefined && used.has(name) && isBuiltIn(name))
    .map((entry) =>
      takesArgs(entry.name)
        ? { ...entry, args: JSON.parse(encode(pluginArgTypes[entry.name], entry.args)) as object }
        : entry,
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const isBuiltIn = (plugin: string): boolean => defaultPlugins.some(({ name }) => name === plugin);
