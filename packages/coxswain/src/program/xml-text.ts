/** Escapes text for XML, as in JUnit reports. */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** Characters that XML can't represent are dropped. */
export const escaped = (text: string): string =>
  text.replace(/[^\P{Cc}\t\n]/gu, '').replace(/[&<>"\n]/g, (sign) => entities[sign]!);
