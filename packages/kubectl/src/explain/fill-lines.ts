/** Wraps a description to a maximum line length; lists, code and empty lines stay separate. */
export function fillLines(text: string, width: number): string[] {
  const lines: string[] = [];
  let words: string[] = [];
  const flush = () => {
    if (words.length > 0) lines.push(words.join(' '));
    words = [];
  };
  for (const line of text.split('\n')) {
    const isEmpty = line.trim() === '';
    if (line.startsWith('    ') || (isEmpty && lines.length > 0)) {
      flush();
      lines.push(isEmpty ? '' : line);
      continue;
    }
    if (isEmpty || words.at(-1)?.endsWith(':') === true || listItem.test(line.trim())) flush();
    for (const word of line.split(/\s+/).filter((one) => one !== '')) {
      if (words.length > 0 && [...words, word].join(' ').length > width) flush();
      words.push(word);
    }
  }
  flush();
  return lines;
}

const listItem = /^(\d+\.?|-|\*)\s/;
