/**
 * Links from pages to the sources: each file that is linked becomes a page of the site, with an anchor for each line, so
 * that the site needs no other one.
 */

import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** `[text](target)` and reference definitions; the target without title. */
const link = /(\]\(|^\[[^\]]+\]: )([^)\s]+)/gm;

export class SourcePages {
  readonly #root: string;
  readonly #adopted: Readonly<Record<string, string>>;
  readonly #wanted = new Set<string>();

  /** @param adopted the pages of the site that show a file, by file */
  constructor(root: string, adopted: Readonly<Record<string, string>>) {
    this.#root = root;
    this.#adopted = adopted;
  }

  /** The text of a page, whose links out of `docs/` lead to pages of sources. `file`: relative to the project. */
  linked(file: string, text: string): string {
    return text.replaceAll(link, (whole, before: string, target: string) => {
      if (/^[a-z]+:|^#|^\//.test(target)) return whole;
      const [name = '', anchor] = target.split('#');
      const wanted = path.posix.join(path.posix.dirname(file), name);
      const hash = anchor === undefined ? '' : `#${anchor}`;
      if (wanted.startsWith('docs/') && wanted.endsWith('.md')) {
        const isBeside = file.startsWith('docs/') && isMoved(file) === isMoved(wanted);
        return isBeside ? whole : `${before}/${pageOfDocument(wanted).slice(0, -'.md'.length)}${hash}`;
      }
      const known = this.#adopted[wanted];
      if (known !== undefined) return `${before}/${known}${hash}`;
      this.#wanted.add(wanted);
      // In full: to VitePress, `.ts` ends the name of a file that is no page.
      return `${before}/${pageOf(wanted)}.html${hash}`;
    });
  }

  /** By file, relative to the site. */
  async pages(): Promise<ReadonlyMap<string, string>> {
    const pages = new Map<string, string>();
    // Pages want others, which come last.
    for (const file of this.#wanted) pages.set(`${pageOf(file)}.md`, await this.#page(file));
    return pages;
  }

  /** What its README says, or what is in it. */
  async #directory(directory: string): Promise<string> {
    const files = (await readdir(path.join(this.#root, directory))).toSorted();
    if (files.includes('README.md')) return this.#page(path.posix.join(directory, 'README.md'));
    const lines = files.map((file) => `- [${file}](${path.posix.basename(directory)}/${file})`);
    return this.linked(directory, `# \`${directory}\`\n\n${lines.join('\n')}\n`);
  }

  async #page(file: string): Promise<string> {
    const from = path.join(this.#root, file);
    if ((await stat(from)).isDirectory()) return this.#directory(file);
    const text = await readFile(from, 'utf8');
    if (file.endsWith('.md')) return this.linked(file, text);
    const lines = text.trimEnd().split('\n');
    const body = lines.map((line, index) => `<span id="L${index + 1}">${escaped(line)}</span>`).join('\n');
    return `---\nsearch: false\naside: false\nlayout: doc\npageClass: source-page\n---\n\n# \`${file}\`\n\n<pre class="source" tabindex="0" v-pre>${body}\n</pre>\n`;
  }
}

const isMoved = (file: string): boolean => file.startsWith('docs/tour/zh/');

/** Relative to the site. The Chinese chapters of the tour lie beside the English ones. */
export const pageOfDocument = (file: string): string =>
  file.slice('docs/'.length).replace(/^tour\/zh\//, 'zh/tour/');

const pageOf = (file: string): string => `source/${file.replace(/\.md$/, '').replace(/\/$/, '')}`;

const escaped = (line: string): string =>
  // A line break of its own in an empty line: Markdown would end the block there.
  line === '' ? '&#8203;' : line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('{', '&#123;');
