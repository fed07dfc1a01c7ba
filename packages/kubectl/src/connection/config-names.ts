import type { CommandContext } from '../context.ts';
import { loadConfig } from './load-config.ts';

/** Returns the names in a kubeconfig, sorted. */
export async function namesInConfig(
  context: CommandContext,
  section: 'contexts' | 'clusters' | 'users',
): Promise<string[]> {
  return (loadConfig(context)[section] ?? []).map(({ name }) => name).sort();
}
