/**
 * Clusters in pages. A block ```yaml cluster of a page is a `<coxswain-cluster>` of the site, with what the page shows: its files
 * are the blocks of YAML with a name (```yaml [web.yaml]), its steps the commands of ```console blocks, of its own section if
 * that has such blocks, else of the whole page. What the block itself says comes first; `sleep` is left out, since time passes
 * anyway.
 */

import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';

/** In the block. */
interface Wanted {
  readonly nodes?: number;
  /** Commands, in place of those of the page. */
  readonly steps?: readonly string[];
  /** What must be true for the exercise to be done. */
  readonly checks?: readonly string[];
}

const cluster = /^```yaml cluster\n([\s\S]*?)^```$/gm;
const block = /^```(console|ya?ml \[([^\]]+)\])\n([\s\S]*?)^```$/gm;
const heading = /^#{2,} /gm;

export function withLiveClusters(text: string): string {
  let count = 0;
  return text.replaceAll(cluster, (_block, wanted: string, at: number) => {
    count++;
    const shown = shownAt(text, at);
    const { nodes = 1, steps = shown.steps, checks = [] } = readYaml(wanted) as Wanted;
    const attributes = { nodes: String(nodes), steps: steps.join('\n'), checks: checks.join('\n') };
    const written = Object.entries(attributes)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => ` ${name}="${escaped(value)}"`);
    const own = ` id="cluster-${count}" kept shareable`;
    const files = Array.from(
      shown.files,
      ([name, content]) => `<pre hidden v-pre slot="file" title="${escaped(name)}">${escaped(content)}</pre>`,
    );
    // On one line: Markdown ends what is HTML at an empty one.
    return `<coxswain-cluster${own}${written.join('')}>${files.join('')}</coxswain-cluster>`;
  });
}

interface Shown {
  readonly files: ReadonlyMap<string, string>;
  readonly steps: readonly string[];
}

function shownAt(text: string, at: number): Shown {
  const begin = Array.from(text.slice(0, at).matchAll(heading)).at(-1)?.index ?? 0;
  const own = blocksOf(text.slice(begin, at));
  return own.files.size > 0 || own.steps.length > 0 ? own : blocksOf(text.slice(0, at));
}

function blocksOf(text: string): Shown {
  const blocks = Array.from(text.matchAll(block), ([, , name, body = '']) => ({ name, body }));
  return {
    files: new Map(blocks.flatMap(({ name, body }) => (name === undefined ? [] : [[name, body] as const]))),
    steps: blocks
      .filter(({ name }) => name === undefined)
      .flatMap(({ body }) => Array.from(body.matchAll(/^\$ (kubectl .*)$/gm), ([, line]) => line!)),
  };
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  '<': '&lt;',
  '>': '&gt;',
  '\n': '&#10;',
};

const escaped = (text: string): string => text.replaceAll(/[&"<>\n]/g, (sign) => escapes[sign]!);
