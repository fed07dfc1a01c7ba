import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { SecurityContext } from '@coxswain/api/core/v1/security-context.ts';

/** Returns the container's security context, completed from the pod's. */
export function effectiveSecurity({ spec }: Pod, { securityContext }: Container): SecurityContext {
  const { seLinuxOptions, runAsUser, runAsGroup, runAsNonRoot } = spec?.securityContext ?? {};
  const own = Object.entries(securityContext ?? {}).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return {
    ...({ seLinuxOptions, runAsUser, runAsGroup, runAsNonRoot } as SecurityContext),
    ...(Object.fromEntries(own) as SecurityContext),
  };
}
