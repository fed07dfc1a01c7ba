/** Reads a configuration: decodes it strictly, applies defaults and validates it. */
import { aggregateFieldErrors } from '@coxswain/apimachinery/field-error.ts';
import {
  decodeConfiguration,
  UnknownConfigurationError,
} from '@coxswain/apimachinery/configuration/decode-configuration.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { decodeValue } from '@coxswain/schema/decode.ts';
import {
  configurationKind,
  configurationVersion,
  SchedulerConfiguration,
  type KubeSchedulerConfiguration,
} from './configuration.ts';
import { decodeArgs } from './decode-args.ts';
import { withErrorPrefix } from './error-prefix.ts';
import { withDefaults } from './default-configuration.ts';
import { withManagedResources } from './managed-resources.ts';
import { takesArgs } from './plugin-args.ts';
import { validateConfiguration } from './validation/configuration.ts';

export type IsFeatureOn = (gate: string) => boolean;

/** The feature gates that are enabled by default. */
export const defaultGates: IsFeatureOn = (gate) => featureGates([]).enabled(gate);

const strictPrefix = 'strict decoding error: ';

/**
 * @param text YAML or JSON
 * @throws Error with upstream's message
 */
export function readConfiguration(text: string, isFeatureOn = defaultGates): SchedulerConfiguration {
  const problems: string[] = [];
  const form = {
    kinds: [`${configurationVersion} ${configurationKind}`],
    type: SchedulerConfiguration,
    isStrict: true,
  };
  let decoded: SchedulerConfiguration;
  try {
    decoded = decodeConfiguration(text, form);
  } catch (failure) {
    const message = messageOf(failure);
    if (!message.startsWith(strictPrefix)) throw asOriginal(failure as Error);
    problems.push(message.slice(strictPrefix.length));
    decoded = decodeConfiguration(text, { ...form, isStrict: false });
  }
  const { configuration, problems: more } = withDecodedArgs(decoded);
  problems.push(...more);
  if (problems.length > 0) throw new Error(`${strictPrefix}${problems.join(', ')}`);
  return checked(withDefaults(configuration, isFeatureOn), isFeatureOn);
}

/** Plugin arguments are registered kinds, too, but not configurations. */
function asOriginal(failure: Error): Error {
  const [, kind] =
    /^no kind "(\w+)Args" is registered for version "kubescheduler.config.k8s.io\/v1"/.exec(
      failure.message,
    ) ?? [];
  if (!(failure instanceof UnknownConfigurationError) || kind === undefined || !takesArgs(kind))
    return failure;
  return new Error(
    `couldn't decode as ${configurationKind}, got ${configurationVersion}, Kind=${kind}Args: `,
  );
}

/**
 * Completes a configuration given as an object. A complete one remains unchanged.
 * @throws Error with upstream's message
 */
export function completeConfiguration(
  given: KubeSchedulerConfiguration = {},
  isFeatureOn = defaultGates,
): SchedulerConfiguration {
  const { object, problems: unknown } = decodeValue(SchedulerConfiguration, given);
  const { configuration, problems } = withDecodedArgs(object);
  const all = [...unknown, ...problems];
  if (all.length > 0) throw new Error(`${strictPrefix}${all.join(', ')}`);
  return checked(withDefaults(configuration, isFeatureOn), isFeatureOn);
}

function withDecodedArgs(given: SchedulerConfiguration): {
  readonly configuration: SchedulerConfiguration;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const profiles = given.profiles?.map((profile, at) => ({
    ...profile,
    ...(profile.pluginConfig && {
      pluginConfig: profile.pluginConfig.map((entry, index) => {
        const place = `decoding .profiles[${at}].pluginConfig[${index}]: `;
        const decoded = withErrorPrefix(place, () => decodeArgs(entry.name, entry.args));
        if (decoded.problems.length > 0)
          problems.push(
            `${place}${strictPrefix}decoding args for plugin ${entry.name}: ${strictPrefix}${decoded.problems.join(', ')}`,
          );
        return { ...entry, args: decoded.args };
      }),
    }),
  }));
  return { configuration: profiles === undefined ? given : { ...given, profiles }, problems };
}

function checked(configuration: SchedulerConfiguration, isFeatureOn: IsFeatureOn): SchedulerConfiguration {
  const errors = validateConfiguration(configuration, isFeatureOn);
  if (errors.length > 0) throw new Error(aggregateFieldErrors(errors));
  return withManagedResources(configuration);
}
