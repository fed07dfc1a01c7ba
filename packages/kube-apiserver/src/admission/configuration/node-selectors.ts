/** The configuration of PodNodeSelector; invalid input is ignored, as upstream. */
import { readYaml } from '@coxswain/apimachinery';
import type { NodeSelectors } from '../plugins/pod-node-selector.ts';

export function readNodeSelectors(text: string | undefined): NodeSelectors {
  if (text === undefined) return {};
  try {
    const value = readYaml(text) as { readonly podNodeSelectorPluginConfig?: unknown } | null;
    const stated = value?.podNodeSelectorPluginConfig;
    const selectors = Object.entries((stated ?? {}) as Readonly<Record<string, unknown>>);
    return Object.fromEntries(
      selectors.filter(([, selector]) => typeof selector === 'string'),
    ) as NodeSelectors;
  } catch {
    return {};
  }
}
