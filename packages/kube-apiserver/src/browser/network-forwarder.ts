/** In place of `proxy/network-forwarder.ts`: beyond the page there is nothing. */
import { serviceUnavailable } from '@coxswain/apimachinery';
import { unreachable, type Forwarder } from '../proxy/forwarder.ts';

export function networkForwarder(): Forwarder {
  const refuse = (): Promise<never> =>
    Promise.reject(serviceUnavailable(`${unreachable}there is no network in a browser`));
  return { forward: refuse, askForSpdy: refuse };
}
