/**
 * Checks whether a scheduler can start with a configuration: its plugins can be created, and its extenders are
 * configured correctly.
 */
import { checkExtenders } from './extenders/configured-extenders.ts';
import type { SchedulerConfiguration } from './config/configuration.ts';
import { defaultGates, readConfiguration, type IsFeatureOn } from './config/load-configuration.ts';
import { profilesOf } from './config/profiles.ts';

/** @throws Error with upstream's message */
export async function checkUsable(
  configuration: SchedulerConfiguration,
  isFeatureOn: IsFeatureOn = defaultGates,
): Promise<void> {
  await checkExtenders(configuration.extenders ?? []);
  profilesOf(configuration, { isFeatureOn });
}

/** Reads the configuration from a file's text. @throws Error with upstream's message */
export async function usableConfiguration(text: string): Promise<SchedulerConfiguration> {
  const configuration = readConfiguration(text);
  await checkUsable(configuration);
  return configuration;
}
