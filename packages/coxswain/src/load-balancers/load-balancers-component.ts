import type { Component } from '../components/components.ts';
import type { LoadBalancersOptions } from './start-load-balancers.ts';

/** Services of type LoadBalancer in a cluster with real nodes; loaded by those only. */
export const loadBalancersComponent = (
  isWanted: boolean,
  optionsUntil: (signal: AbortSignal) => LoadBalancersOptions,
): readonly Component[] =>
  isWanted
    ? [
        {
          name: 'load-balancers',
          start(until) {
            const started = import('./start-load-balancers.ts').then(({ startLoadBalancers }) =>
              startLoadBalancers(optionsUntil(until)),
            );
            return {
              ready: started.then(({ ready }) => ready),
              stopped: started.then(({ stopped }) => stopped),
            };
          },
        },
      ]
    : [];
