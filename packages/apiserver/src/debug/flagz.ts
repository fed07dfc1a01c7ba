/** `/flagz`: every command-line option with its value. */
import type { ZPage } from './z-page.ts';

export type FlagTexts = Readonly<Record<string, string>>;

export const flagz = (flags: FlagTexts): ZPage => {
  const sorted = Object.fromEntries(Object.entries(flags).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    kind: 'Flagz',
    text: () =>
      Object.entries(sorted)
        .map(([name, value]) => `${name}: ${value}\n`)
        .join(''),
    members: () => ({ flags: sorted }),
  };
};
