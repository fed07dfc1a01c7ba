import type { CommandContext } from '../context.ts';
import { loadConfig } from './load-config.ts';

/** The names that a kubeconfig has, sorted. */
export async function namesInConfig(
  context: CommandContext,
  section: 'contexts' | 'clusters' | 'users',
): Promise<string[]> {
  return (loadConfig(context)[section] ?? []).map(({ name }) => name).sort();
}
