/** A page for each command of each program, as its own help has it. */

import { markdownPages } from '@coxswain/cobra';
import { root } from '../../packages/coxswain/src/commands/root.ts';

/** Headings one level up, tables of the help as blocks, and no word that the page's neighbours would not have. */
const asPage = (text: string): string =>
  text
    .replaceAll(/(?<=\n)(?: {2,}\S.*\n)+|^```[\s\S]*?^```$/gm, (block) =>
      block.startsWith('```') ? block : `\n\`\`\`text\n${block}\`\`\`\n\n`,
    )
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : asProse(part)))
    .join('');

const asProse = (text: string): string =>
  text
    .replaceAll(/^## /gm, '# ')
    .replaceAll(/^### /gm, '## ')
    .replace('## SEE ALSO', '## See also')
    .replaceAll(/<(?=[\w/])/g, '&lt;');

export async function commandPages(): Promise<ReadonlyMap<string, string>> {
  const pages = await markdownPages(root);
  return new Map([...pages].map(([file, text]) => [file, asPage(text)]));
}
