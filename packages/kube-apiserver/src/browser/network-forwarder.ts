/** Replaces `proxy/network-forwarder.ts`: a page cannot reach anything outside. */
import { serviceUnavailable } from '@coxswain/apimachinery';
import { unreachable, type Forwarder } from '../proxy/forwarder.ts';

export function networkForwarder(): Forwarder {
  const refuse = (): Promise<never> =>
    Promise.reject(serviceUnavailable(`${unreachable}there is no network in a browser`));
  return { forward: refuse, askForSpdy: refuse };
}
