/** Whether a scheduler can start with a configuration: its plugins can be made, its extenders be reached. */
import { checkExtenders } from './extenders/configured-extenders.ts';
import type { SchedulerConfiguration } from './config/configuration.ts';
import { defaultGates, readConfiguration, type IsFeatureOn } from './config/load-configuration.ts';
import { profilesOf } from './config/profiles.ts';

/** @throws Error in the original's words */
export async function checkUsable(
  configuration: SchedulerConfiguration,
  isFeatureOn: IsFeatureOn = defaultGates,
): Promise<void> {
  await checkExtenders(configuration.extenders ?? []);
  profilesOf(configuration, { isFeatureOn });
}

/** The configuration in a file. @throws Error in the original's words */
export async function usableConfiguration(text: string): Promise<SchedulerConfiguration> {
  const configuration = readConfiguration(text);
  await checkUsable(configuration);
  return configuration;
}
