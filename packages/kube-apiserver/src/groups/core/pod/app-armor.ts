/** AppArmor profiles used to be annotations; those of a new pod become fields, with a warning. */
import { semanticDeepEqual } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

const annotationPrefix = 'container.apparmor.security.beta.kubernetes.io/';
const localhostPrefix = 'localhost/';

interface Profile {
  type: 'RuntimeDefault' | 'Unconfined' | 'Localhost';
  localhostProfile?: string;
}

/** @returns warnings */
export function applyAppArmorAnnotations({ metadata, spec }: Pod): string[] {
  if (spec.os?.name === 'windows') return [];
  const warnings: string[] = [];
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    const key = annotationPrefix + container.name;
    const annotation = metadata.annotations?.[key];
    if (annotation === undefined || container.securityContext?.appArmorProfile) continue;
    const profile = profileOf(annotation);
    if (profile !== undefined && semanticDeepEqual(profile, spec.securityContext?.appArmorProfile)) continue;
    if (profile !== undefined)
      container.securityContext = { ...container.securityContext, appArmorProfile: profile };
    warnings.push(
      `metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    );
  }
  return warnings;
}

function profileOf(annotation: string): Profile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(localhostPrefix)) return undefined;
  const localhostProfile = annotation.slice(localhostPrefix.length);
  // Invalid values are not copied.
  const isValid =
    localhostProfile.trim() === localhostProfile &&
    localhostProfile !== '' &&
    localhostProfile.length <= 4095;
  return isValid ? { type: 'Localhost', localhostProfile } : undefined;
}
