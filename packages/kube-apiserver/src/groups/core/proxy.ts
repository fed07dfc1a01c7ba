/** Proxying to nodes, pods and services isn't built yet: an answer that says so. */
import { StatusError } from '@coxswain/apimachinery';

export const proxyMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

export const proxyNotBuilt = (what: string): StatusError =>
  new StatusError(501, 'NotImplemented', `${what} is not implemented by this server`);
