/** Upstream's 403, whose message clients show to their users. */
import { forbidden } from '@coxswain/apimachinery/errors.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import type { StatusError } from '@coxswain/apimachinery';
import type { AuthorizationAttributes } from './authorizer.ts';

export function forbiddenError(attributes: AuthorizationAttributes, reason: string): StatusError {
  const message = withoutMarkup(forbiddenMessage(attributes));
  const resource = { group: attributes.group, resource: attributes.resource };
  return forbidden(resource, attributes.name, reason === '' ? message : `${message}: ${reason}`);
}

/** `User "alice" cannot list resource "pods" in API group "" in the namespace "x"` */
function forbiddenMessage({ user, verb, ...of }: AuthorizationAttributes): string {
  const subject = `User ${goQuote(user.name)} cannot ${verb}`;
  if (!of.isResourceRequest) return `${subject} path ${goQuote(of.path)}`;
  const resource = of.subresource === '' ? of.resource : `${of.resource}/${of.subresource}`;
  const scope = of.namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(of.namespace)}`;
  return `${subject} resource ${goQuote(resource)} in API group ${goQuote(of.group)} ${scope}`;
}

/** Escapes markup, so that browsers cannot take the message for HTML. */
export const withoutMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
