/** A stream of YAML documents, split at the lines that begin with `---`. */

/** The texts between the separators, empty ones left out. */
export const splitYamlDocuments = (text: string): string[] => yamlDocuments(text).map((each) => each.text);

export interface YamlDocument {
  readonly text: string;
  /** Where its text begins in the stream, counted from 1. */
  readonly line: number;
}

/** The same with their places. */
export function yamlDocuments(stream: string): readonly YamlDocument[] {
  const documents: YamlDocument[] = [];
  let line = 1;
  for (const [index, part] of stream.split(/^---(?:[ \t].*)?\r?$/m).entries()) {
    // A separator's line ends at the beginning of what follows it.
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
