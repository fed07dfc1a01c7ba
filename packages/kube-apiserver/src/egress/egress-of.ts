/** The routes of the server's connections, from a file. The rarely used code is loaded on demand. */
import { systemClock } from '@coxswain/apimachinery';
import type { EgressSelector } from './dial.ts';

/** @param file of `--egress-selector-config-file`; empty for direct connections */
export async function egressOf(file: string): Promise<EgressSelector | undefined> {
  if (file === '') return undefined;
  const { loadEgressSelector } = await import('./egress-selector.ts');
  return loadEgressSelector(file, systemClock);
}
