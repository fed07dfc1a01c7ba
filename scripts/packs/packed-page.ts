/** A page of the repository as it lies in a package, where most of what it links to is missing. */

import { repositoryUrl } from './repository.ts';

const link = /\[([^\]]*)\]\(([^)\s]+)\)/g;
const isElsewhere = (target: string): boolean => /^(?:[a-z]+:|#)/i.test(target);

/**
 * What is not in the package is linked where the sources are, or where nobody knows that, named without a link.
 * @param from the directory of the page, from the root: `''` or `packages/client/`
 * @param packed what lies beside it in the package, and may be linked
 */
export function packedPage(text: string, from: string, packed: readonly string[], version: string): string {
  return text.replaceAll(link, (whole, said: string, target: string) => {
    if (isElsewhere(target) || packed.includes(target)) return whole;
    if (repositoryUrl === undefined) return said;
    const place = new URL(target, `file:///${from}`);
    return `[${said}](${repositoryUrl}/blob/v${version}${place.pathname}${place.hash})`;
  });
}
