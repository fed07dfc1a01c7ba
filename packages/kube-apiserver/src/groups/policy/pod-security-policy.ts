import { PodSecurityPolicy as ExtensionsPolicy } from '@coxswain/api/extensions/v1beta1.ts';
import { PodSecurityPolicy } from '@coxswain/api/policy/v1beta1.ts';
import { legacy, resource } from '../resource.ts';

/** Removed upstream in 1.25: policies are stored, but not enforced. */
export const podSecurityPolicyResource = resource(PodSecurityPolicy, {
  legacy: true,
  prefix: 'podsecuritypolicy',
  alsoAs: [legacy(ExtensionsPolicy)],
});
