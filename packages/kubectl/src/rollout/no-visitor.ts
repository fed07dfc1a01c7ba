import { goQuote, parseApiVersion, type KubeObject } from '@coxswain/apimachinery';

/** What the original says of a kind for which a rollout means nothing. */
export function noVisitorText({ apiVersion = '', kind = '' }: KubeObject): string {
  return `${goQuote(kind)}, no visitor method exists for {${parseApiVersion(apiVersion).group} ${kind}}`;
}
