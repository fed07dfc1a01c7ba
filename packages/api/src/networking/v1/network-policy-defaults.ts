/** The default policy types: ingress, and egress if there are egress rules. */
export function defaultPolicyTypes({ spec }: { spec: { policyTypes?: string[]; egress?: unknown[] } }): void {
  if ((spec.policyTypes ?? []).length > 0) return;
  spec.policyTypes = (spec.egress ?? []).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}
