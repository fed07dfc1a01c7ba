import { FieldPath, ipWarnings } from '@coxswain/apimachinery';

interface BalancedObject {
  status?: { loadBalancer?: { ingress?: { ip?: string }[] } };
}

/** Of services and ingresses; the original's path ends before the `ip`. */
export function balancerStatusWarnings({ status }: BalancedObject): string[] {
  const path = FieldPath.of('status', 'loadBalancer', 'ingress');
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }, index) =>
    ip ? ipWarnings(path.index(index), ip) : [],
  );
}
