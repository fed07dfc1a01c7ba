/** What tables of results have in common. */

export type Language = 'en' | 'zh';

/** @param rows the first is the head */
export function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

export const ranAt = (date: string, commit: string): Readonly<Record<Language, string>> => ({
  en: `${date}, commit ${commit}`,
  zh: `${date}，提交 ${commit}`,
});

export const count = (number: number): string => number.toLocaleString('en');
