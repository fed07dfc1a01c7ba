import type { Component } from '../components/components.ts';
import type { LoadBalancersOptions } from './start-load-balancers.ts';

/** Handles Services of type LoadBalancer in clusters with real nodes; loaded only there. */
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
