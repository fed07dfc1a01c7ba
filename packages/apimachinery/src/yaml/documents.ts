/** A stream of YAML documents, split at the lines that begin with `---`. */

/** The texts between the separators, without empty ones. */
export const splitYamlDocuments = (text: string): string[] => yamlDocuments(text).map((each) => each.text);

export interface YamlDocument {
  readonly text: string;
  /** The line in the stream at which its text begins, counted from 1. */
  readonly line: number;
}

/** The same with their positions. */
export function yamlDocuments(stream: string): readonly YamlDocument[] {
  const documents: YamlDocument[] = [];
  let line = 1;
  for (const [index, part] of stream.split(/^---(?:[ \t].*)?\r?$/m).entries()) {
    // The rest of a separator's line belongs to the separator.
    const text = index === 0 ? part : part.replace(/^\r?\n/, '');
    const start = text === part ? line : line + 1;
    line += lineBreaksIn(part);
    if (text.replace(/^[ \t]*(#.*)?\r?$/gm, '').trim() !== '') documents.push({ text, line: start });
  }
  return documents;
}

function lineBreaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
