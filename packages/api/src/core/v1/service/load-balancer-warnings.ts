import { FieldPath, ipWarnings } from '@coxswain/apimachinery';

interface BalancedObject {
  status?: { loadBalancer?: { ingress?: { ip?: string }[] } };
}

/** For services and ingresses; upstream's path omits the final `ip`. */
export function balancerStatusWarnings({ status }: BalancedObject): string[] {
  const path = FieldPath.of('status', 'loadBalancer', 'ingress');
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }, index) =>
    ip ? ipWarnings(path.index(index), ip) : [],
  );
}
