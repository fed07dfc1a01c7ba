import type { Static } from '@coxswain/schema';
import { podSecurityPolicyKind } from '../../policy/pod-security-policy-kind.ts';

export const PodSecurityPolicy = podSecurityPolicyKind('extensions/v1beta1');
export interface PodSecurityPolicy extends Static<typeof PodSecurityPolicy> {}
