import type { SchedulerConfiguration } from './configuration.ts';

/**
 * Makes NodeResourcesFit ignore resources that only extenders manage, replacing its configured ignored resources.
 * @throws Error with upstream's message if a profile lacks the plugin
 */
export function withManagedResources(configuration: SchedulerConfiguration): SchedulerConfiguration {
  const ignoredResources = (configuration.extenders ?? []).flatMap(({ managedResources = [] }) =>
    managedResources.filter(({ ignoredByScheduler }) => ignoredByScheduler).map(({ name }) => name),
  );
  if (ignoredResources.length === 0) return configuration;
  const profiles = configuration.profiles!.map((profile) => {
    const isFit = ({ name }: { readonly name: string }) => name === 'NodeResourcesFit';
    if (!profile.pluginConfig?.some(isFit))
      throw new Error("couldn't build extenders: can't find NodeResourcesFitArgs in plugin config");
    const pluginConfig = profile.pluginConfig.map((entry) =>
      isFit(entry) ? { ...entry, args: { ...(entry.args as object), ignoredResources } } : entry,
    );
    return { ...profile, pluginConfig };
  });
  return { ...configuration, profiles };
}
