/** The doc comment of a declaration: a description, and tags such as `@minimum 1`. */

export interface DocComment {
  readonly description: string;
  /** By name, without the at sign; a tag can occur several times. */
  readonly tags: ReadonlyMap<string, readonly string[]>;
}

export const noComment: DocComment = { description: '', tags: new Map() };

/** @param text including its slashes and stars */
export function docComment(text: string): DocComment {
  const lines = text
    .slice(3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trimEnd());
  const first = lines.findIndex((line) => line.startsWith('@'));
  const tags = new Map<string, string[]>();
  for (const line of first < 0 ? [] : lines.slice(first)) {
    const [, name, value = ''] = /^@(\w+)\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined) tags.set(name, [...(tags.get(name) ?? []), value]);
  }
  const description = (first < 0 ? lines : lines.slice(0, first)).join(' ').trim();
  return { description, tags };
}
