/** Selects the features of a cluster's controllers and scheduler. */
import { versionNamed } from '@coxswain/component-base/effective-version.ts';
import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { ClusterOptions } from './cluster-options.ts';

/** Undefined selects the features that are on by default in this version. */
export const chosenFeatures = ({
  featureGates: gates = [],
  version,
}: ClusterOptions): { readonly isFeatureOn: (gate: string) => boolean } | undefined =>
  gates.length === 0 && version === undefined
    ? undefined
    : {
        isFeatureOn: featureGates(gates, {
          version: version === undefined ? undefined : versionNamed(version),
        }).enabled,
      };
