/** `staticManifestsDir`: webhooks and policies from files instead of the API. Alpha upstream and not supported here. */
import { fieldErrorText, forbiddenError, invalidError } from '@coxswain/apimachinery';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { optional, string, struct } from '@coxswain/schema';
import { decodeConfiguration } from '@coxswain/apimachinery/configuration/decode-configuration.ts';

const gate = 'ManifestBasedAdmissionControlConfig';
const field = 'staticManifestsDir';

/** @throws Error for any directory: with upstream's message, or with our own if the feature is enabled */
export function refuseStaticManifests(directory: string | undefined, features: FeatureGates): void {
  if (!directory) return;
  if (!features.enabled(gate)) {
    const refusal = `${field} requires the ${gate} feature gate to be enabled`;
    throw new Error(fieldErrorText(forbiddenError(field, refusal)));
  }
  if (!directory.startsWith('/')) {
    throw new Error(fieldErrorText(invalidError(field, directory, 'must be an absolute file path')));
  }
  throw new Error(`${field}: admission from files is not implemented`);
}

const policyForm = (kind: string) => ({
  isStrict: true,
  kinds: [`apiserver.config.k8s.io/v1 ${kind}`],
  type: struct(kind, {
    kind: optional(0, string),
    apiVersion: optional(0, string),
    staticManifestsDir: optional(1, string),
  }),
});

/** The configuration of a policy plugin has no other settings. @throws Error with upstream's message */
export function checkPolicyConfiguration(kind: string, text: string | undefined, features: FeatureGates) {
  if (text === undefined) return;
  refuseStaticManifests(decodeConfiguration(text, policyForm(kind)).staticManifestsDir, features);
}
