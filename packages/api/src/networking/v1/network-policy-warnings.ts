import { cidrWarnings, FieldPath } from '@coxswain/apimachinery';
import type { NetworkPolicyPeer, NetworkPolicySpec } from './network-policy-spec.ts';

export function networkPolicyWarnings({ spec }: { spec?: NetworkPolicySpec }): string[] {
  const path = FieldPath.of('spec');
  return [
    ...(spec?.ingress ?? []).flatMap(({ from }, index) =>
      peerWarnings(from, path.child('ingress').index(index).child('from')),
    ),
    ...(spec?.egress ?? []).flatMap(({ to }, index) =>
      peerWarnings(to, path.child('egress').index(index).child('to')),
    ),
  ];
}

function peerWarnings(peers: readonly NetworkPolicyPeer[] | undefined, path: FieldPath): string[] {
  return (peers ?? []).flatMap(({ ipBlock }, index) => {
    if (ipBlock == null) return [];
    const at = path.index(index).child('ipBlock');
    const holes = (ipBlock.except ?? []).flatMap((hole, number) =>
      cidrWarnings(at.child('except').index(number), hole),
    );
    return [...cidrWarnings(at.child('cidr'), ipBlock.cidr ?? ''), ...holes];
  });
}
