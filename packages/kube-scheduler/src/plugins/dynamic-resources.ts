import { plugin } from '../framework/plugin.ts';
import { unresolvable } from '../framework/verdict.ts';

/**
 * Devices by resource claims. Not built yet: pods with claims are refused. For the others it answers as the
 * original does, whose half-sentence stands in every message about a pod that fits nowhere.
 */
export const dynamicResources = plugin<'no claims'>({
  name: 'DynamicResources',
  preFilter: ({ pod }) =>
    (pod.spec?.resourceClaims?.length ?? 0) > 0
      ? unresolvable('dynamic resource allocation is not implemented')
      : { state: 'no claims' },
  // The original fails here when an earlier plugin has refused the pod before this one saw it.
  postFilter: (_pod, { state }) =>
    state === undefined
      ? { kind: 'error', reasons: ['not found'] }
      : { kind: 'unschedulable', reasons: ['no new claims to deallocate'] },
});
