/** A page for each command of each program, as its own help has it. */

import { markdownPages } from '@coxswain/cobra';
import { root } from '../../packages/coxswain/src/commands/root.ts';

/** Headings one level up, and no word that the page's neighbours would not have. */
const asPage = (text: string): string =>
  text
    .replaceAll(/^## /gm, '# ')
    .replaceAll(/^### /gm, '## ')
    .replace('## SEE ALSO', '## See also')
    .replaceAll(/<(?=[\w/])/g, '&lt;');

export async function commandPages(): Promise<ReadonlyMap<string, string>> {
  const pages = await markdownPages(root);
  return new Map([...pages].map(([file, text]) => [file, asPage(text)]));
}
