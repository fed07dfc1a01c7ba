/**
 * Checks whether a scheduler can start with a configuration: its plugins can be created, and its extenders are
 * configured correctly.
 */
import { checkExtenders } from './extenders/configured-extenders.ts';
import type { SchedulerConfiguration } from './config/configuration.ts';
import type { PluginFactory } from './config/default-plugins.ts';
import { defaultGates, readConfiguration, type IsFeatureOn } from './config/load-configuration.ts';
import { profilesOf } from './config/profiles.ts';

/** @throws Error with upstream's message */
export async function checkUsable(
  configuration: SchedulerConfiguration,
  isFeatureOn: IsFeatureOn = defaultGates,
  plugins: readonly PluginFactory[] = [],
): Promise<void> {
  await checkExtenders(configuration.extenders ?? []);
  profilesOf(configuration, { isFeatureOn, plugins });
}

/**
 * Reads the configuration from a file's text.
 * @param plugins in addition to the built-in ones
 * @throws Error with upstream's message
 */
export async function usableConfiguration(
  text: string,
  plugins?: readonly PluginFactory[],
): Promise<SchedulerConfiguration> {
  const configuration = readConfiguration(text);
  await checkUsable(configuration, defaultGates, plugins);
  return configuration;
}
