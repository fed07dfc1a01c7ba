const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

/**
 * Escapes text for HTML, as Go's `html.EscapeString`.
 * @example htmlText('a < b') // 'a &lt; b'
 */
export const htmlText = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign]!);
