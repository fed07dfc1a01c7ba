/** A policy without types is one for ingress, and for egress too when it has egress rules. */
export function defaultPolicyTypes({ spec }: { spec: { policyTypes?: string[]; egress?: unknown[] } }): void {
  if ((spec.policyTypes ?? []).length > 0) return;
  spec.policyTypes = (spec.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}
