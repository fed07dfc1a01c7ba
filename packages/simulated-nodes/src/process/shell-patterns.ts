/** Patterns of the shell: `*`, `?` and bracket expressions. A backslash makes the next character stand for itself. */
import { resolvePath, type ContainerFiles } from './container-files.ts';
import { compileExpression, escapedExpression, type Expression } from './posix-expression.ts';

export const matchesPattern = (pattern: string, text: string): boolean => patternMatcher(pattern)(text);

/** Its time is linear in the text. */
export function patternMatcher(pattern: string): (text: string) => boolean {
  const expression = expressionOf(pattern);
  return (text) => {
    const match = expression?.find(text);
    return match === undefined ? pattern === text : match.end === text.length;
  };
}

/** Undefined for a pattern that is malformed. */
function expressionOf(pattern: string): Expression | undefined {
  const parts = pattern.match(/\\[^]|\[[!^]?\]?[^\]]*\]|[^]/g) ?? [];
  const source = parts.map((part) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    if (part.length > 2 && part.startsWith('[')) return part.replace('[!', '[^');
    return escapedExpression(part.length > 1 ? part.slice(1) : part);
  });
  try {
    return compileExpression(`^(${source.join('')})$`, { isExtended: true });
  } catch {
    return undefined;
  }
}

/** The paths that match, in order; hidden files only if the pattern names the dot. */
export function matchingPaths(files: ContainerFiles, directory: string, pattern: string): readonly string[] {
  const isAbsolute = pattern.startsWith('/');
  let found: readonly string[] = [isAbsolute ? '/' : ''];
  for (const part of pattern.split('/').filter((one) => one !== '')) {
    found = found.flatMap((path) => {
      const full = resolvePath(directory, path || '.');
      const base = path === '' || path.endsWith('/') ? path : `${path}/`;
      if (!/[*?[]/.test(part.replaceAll(/\\[^]/g, ''))) {
        const name = part.replaceAll(/\\([^])/g, '$1');
        return files.entry(resolvePath(full, name)) === undefined ? [] : [base + name];
      }
      if (!files.isDirectory(full)) return [];
      const names = files.list(full).filter((name) => part.startsWith('.') || !name.startsWith('.'));
      return names.filter((name) => matchesPattern(part, name)).map((name) => base + name);
    });
  }
  return found;
}

/** The number of characters that are compared before others have their turn. */
const charactersAtOnceMax = 100_000;

/** What is left without the shortest (`%`, `#`) or longest (`%%`, `##`) match at the end or the start; or the length. */
export async function changed(
  value: string,
  { operator, pattern }: { readonly operator: string; readonly pattern: string },
  breathe: () => Promise<void>,
): Promise<string> {
  if (operator === 'length') return String(value.length);
  const isAtEnd = operator.startsWith('%');
  const cuts = Array.from({ length: value.length + 1 }, (_none, at) => at);
  const isLongest = operator.length === 2;
  const matches = patternMatcher(pattern);
  let compared = 0;
  for (const cut of isLongest === isAtEnd ? cuts : cuts.reverse()) {
    const [before, after] = [value.slice(0, cut), value.slice(cut)];
    const part = isAtEnd ? after : before;
    if (matches(part)) return isAtEnd ? before : after;
    compared += part.length;
    if (compared < charactersAtOnceMax) continue;
    compared = 0;
    await breathe();
  }
  return value;
}
