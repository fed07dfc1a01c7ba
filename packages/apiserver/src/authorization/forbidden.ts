/** The 403 of the original, whose text clients show to people. */
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

/** A refusal must not look like HTML to a browser. */
export const withoutMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
