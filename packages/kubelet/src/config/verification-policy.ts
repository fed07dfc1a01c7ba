/** Which images a pod may use only with credentials of its own: `imagePullCredentialsVerificationPolicy`. */
import { imageTag } from '@coxswain/api/core/v1/pod/image-reference.ts';

/** @param isPulled by this node's kubelet, and not brought by another */
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

/** The settings of a kubelet, as far as they say who has to show credentials. */
interface VerificationSettings {
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly imagePullCredentialsVerificationPolicy: string;
  readonly preloadedImagesVerificationAllowlist: readonly string[];
}

/** @param settings whose policy is one by name, or empty for the default */
export function verificationPolicyOf(settings: VerificationSettings): MustVerify {
  const { imagePullCredentialsVerificationPolicy: name, preloadedImagesVerificationAllowlist } = settings;
  if (settings.featureGates['KubeletEnsureSecretPulledImages'] === false)
    return verificationPolicy('NeverVerify');
  const policy = isPolicyName(name) ? name : 'NeverVerifyPreloadedImages';
  return verificationPolicy(policy, preloadedImagesVerificationAllowlist);
}

/** @param allowed patterns of images that are free for all, for `NeverVerifyAllowlistedImages` */
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

/** What is wrong with a pattern, in the original's words; undefined for nothing. */
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

/** `registry:5000/team/app` of `registry:5000/team/app:v1@sha256:…` */
export const untagged = (image: string): string => image.replace(/@.*$/, '').replace(/:[^:/]*$/, '');
