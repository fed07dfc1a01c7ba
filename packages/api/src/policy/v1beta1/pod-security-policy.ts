import type { Static } from '@coxswain/schema';
import { podSecurityPolicyKind } from '../pod-security-policy-kind.ts';

export const PodSecurityPolicy = podSecurityPolicyKind('policy/v1beta1');
export interface PodSecurityPolicy extends Static<typeof PodSecurityPolicy> {}
