/** What connections of the server go through, as a file says. What few have is loaded for them. */
import { systemClock } from '@coxswain/apimachinery';
import type { EgressSelector } from './dial.ts';

/** @param file of `--egress-selector-config-file`; empty for straight ahead */
export async function egressOf(file: string): Promise<EgressSelector | undefined> {
  if (file === '') return undefined;
  const { loadEgressSelector } = await import('./egress-selector.ts');
  return loadEgressSelector(file, systemClock);
}
