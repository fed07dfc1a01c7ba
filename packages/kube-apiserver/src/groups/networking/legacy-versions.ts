/** Ingresses, their classes and network policies before networking.k8s.io/v1. */
import * as extensions from '@coxswain/api/extensions/v1beta1.ts';
import * as v1beta1 from '@coxswain/api/networking/v1beta1.ts';
import type { Kind } from '@coxswain/schema';
import { legacy, type OtherVersion } from '../resource.ts';
import { ingressConversion, ingressErrors } from './convert-ingress.ts';

const oldIngress = (kind: Kind): OtherVersion =>
  legacy(kind, { conversion: ingressConversion(kind), errors: ingressErrors });

export const ingressVersions: readonly OtherVersion[] = [
  oldIngress(v1beta1.Ingress),
  oldIngress(extensions.Ingress),
];

export const ingressClassVersions: readonly OtherVersion[] = [legacy(v1beta1.IngressClass)];

export const networkPolicyVersions: readonly OtherVersion[] = [legacy(extensions.NetworkPolicy)];
