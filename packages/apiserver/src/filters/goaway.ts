/**
 * Occasionally asks an HTTP/2 client to open a new connection, so that load balancers can redistribute long-lived
 * connections (`--goaway-chance`). Transports turn `connection: close` into a GOAWAY.
 */
import type { Random } from '@coxswain/apimachinery';
import type { Filter } from './filter.ts';

/** @param chance the probability per request, from 0 to 0.02 */
export const goaway = (chance: number, random: Random): Filter => ({
  step: 'goaway',
  handle(request, next) {
    if (chance > 0 && request.incoming.peer.protocol === 'HTTP/2.0' && random.next() < chance) {
      request.responseHeaders['connection'] = 'close';
    }
    return next(request);
  },
});
