/** Determines which images a pod may use only with its own credentials: `imagePullCredentialsVerificationPolicy`. */
import { imageTag } from '@coxswain/api/core/v1/pod/image-reference.ts';

/** @param isPulled whether this node's kubelet pulled the image, as opposed to it being preloaded */
export type MustVerify = (image: string, isPulled: boolean) => boolean;

export const policyNames = [
  'NeverVerify',
  'NeverVerifyPreloadedImages',
  'NeverVerifyAllowlistedImages',
  'AlwaysVerify',
] as const;

export type PolicyName = (typeof policyNames)[number];

export const isPolicyName = (name: string): name is PolicyName =>
  (policyNames as readonly string[]).includes(name);

const ofImages =
  (patterns: readonly string[]): MustVerify =>
  (image) => {
    const name = untagged(image);
    return !patterns.some((each) =>
      each.endsWith('/*') ? name.startsWith(each.slice(0, -1)) : name === each,
    );
  };

/** The settings that affect credential verification. */
interface VerificationSettings {
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly imagePullCredentialsVerificationPolicy: string;
  readonly preloadedImagesVerificationAllowlist: readonly string[];
}

/** @param settings the policy is one of the known names, or empty for the default */
export function verificationPolicyOf(settings: VerificationSettings): MustVerify {
  const { imagePullCredentialsVerificationPolicy: name, preloadedImagesVerificationAllowlist } = settings;
  if (settings.featureGates['KubeletEnsureSecretPulledImages'] === false)
    return verificationPolicy('NeverVerify');
  const policy = isPolicyName(name) ? name : 'NeverVerifyPreloadedImages';
  return verificationPolicy(policy, preloadedImagesVerificationAllowlist);
}

/** @param allowed patterns of images that all pods may use, for `NeverVerifyAllowlistedImages` */
export function verificationPolicy(name: PolicyName, allowed: readonly string[] = []): MustVerify {
  switch (name) {
    case 'NeverVerify':
      return () => false;
    case 'NeverVerifyPreloadedImages':
      return (_image, isPulled) => isPulled;
    case 'NeverVerifyAllowlistedImages':
      return ofImages(allowed);
    case 'AlwaysVerify':
      return () => true;
  }
}

/** Returns upstream's message for an invalid pattern; undefined for a valid one. */
export function patternFailure(pattern: string): string | undefined {
  if (pattern !== pattern.trim()) return `leading/trailing spaces are not allowed: ${pattern}`;
  const isWildcard = pattern.endsWith('/*');
  const rest = isWildcard ? pattern.slice(0, -1) : pattern;
  if (rest === '') return `the supplied pattern is too short: ${pattern}`;
  if (rest.includes('*')) {
    return `not a valid wildcard pattern, only patterns ending with '/*' are allowed: ${pattern}`;
  }
  if (isWildcard) return rest.length === 1 ? 'at least registry hostname is required' : undefined;
  if (untagged(rest) !== rest) return `neither tag nor digest is accepted in an image reference: ${pattern}`;
  return imageTag(rest) === '' ? 'failed to parse as an image name: invalid reference format' : undefined;
}

/** Removes tag and digest: `registry:5000/team/app:v1@sha256:…` → `registry:5000/team/app`. */
export const untagged = (image: string): string => image.replace(/@.*$/, '').replace(/:[^:/]*$/, '');
