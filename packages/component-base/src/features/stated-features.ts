/** The version and the feature gates given on the command line of a program. */
import { aggregateText } from '@coxswain/apimachinery';
import { effectiveVersion, versionProblems } from '../effective-version.ts';
import { featureGates, type FeatureGates, type GateOptions } from './feature-gates.ts';

export interface FeatureFlagValues {
  readonly emulatedVersion: readonly string[];
  readonly minCompatibilityVersion: readonly string[];
  readonly featureGates: readonly string[];
}

/** @throws Error in upstream's words */
export function statedFeatures(values: FeatureFlagValues, log?: GateOptions['log']): FeatureGates {
  const version = effectiveVersion(values.emulatedVersion, values.minCompatibilityVersion);
  const features = featureGates(values.featureGates, { version, log });
  const problems = versionProblems(version);
  if (problems.length > 0) throw new Error(aggregateText(problems));
  return features;
}
