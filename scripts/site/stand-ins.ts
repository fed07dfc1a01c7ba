/**
 * Pages that are there in English only. The language menu changes nothing but the directory of an address, so that each of
 * them needs a page in Chinese, which says so and leads back. Menus and search leave these out.
 */

const mark = '---\nsearch: false\nstandIn: true\n---\n';

export const isStandIn = (text: string): boolean => text.startsWith(mark);

/** @param page without `.md`, `reference/index` say */
export const standIn = (page: string): string =>
  `${mark}\n# 本页只有英文版\n\n[阅读英文版](/${addressOf(page)})\n`;

/** In full: to VitePress, `.ts` ends the name of a file that is no page. */
const addressOf = (page: string): string =>
  /(^|\/)index$/.test(page) ? page.replace(/index$/, '') : `${page}.html`;
