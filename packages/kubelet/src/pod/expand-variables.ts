/**
 * Replaces `$(NAME)` with the value from `valueOf`; unknown names are left as they are, and `$$` stands for one dollar
 * sign. The same rules apply to commands, arguments, variables and subPathExpr.
 */
export function expandVariables(text: string, valueOf: (name: string) => string | undefined): string {
  let expanded = '';
  for (let at = 0; at < text.length;) {
    const next = text[at + 1];
    if (text[at] !== '$' || next === undefined) {
      expanded += text[at];
      at++;
    } else if (next === '$') {
      expanded += '$';
      at += 2;
    } else if (next === '(') {
      const end = text.indexOf(')', at);
      if (end < 0) {
        expanded += '$(';
        at += 2;
      } else {
        expanded += valueOf(text.slice(at + 2, end)) ?? text.slice(at, end + 1);
        at = end + 1;
      }
    } else {
      expanded += `$${next}`;
      at += 2;
    }
  }
  return expanded;
}
