/** A stream of YAML documents, split at the lines that begin with `---`. */

/** The texts between the separators, empty ones left out. */
export function splitYamlDocuments(text: string): string[] {
  return text
    .split(/^---(?:[ \t].*)?\r?$/m)
    .map((document) => document.replace(/^\r?\n/, ''))
    .filter((document) => document.replace(/^[ \t]*(#.*)?\r?$/gm, '').trim() !== '');
}
