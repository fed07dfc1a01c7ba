/** `.metadata.name`, `metadata.name` and `{metadata.name}` all mean `{.metadata.name}`. */
export function relaxedJsonPath(text: string): string {
  if (text === '') return text;
  const match = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/.exec(text);
  if (match === null) {
    throw new Error(
      `unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'`,
    );
  }
  return `{.${match[1] ?? match[2]}}`;
}
