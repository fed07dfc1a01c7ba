/** `JSON.rawJSON`: numbers that keep their digits. TypeScript's library doesn't have it yet. */

type WithRaw = typeof JSON & {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
};

/** A value that JSON.stringify writes as `text`. */
export const rawNumber = (text: string): object => (JSON as WithRaw).rawJSON(text);

export const isRawNumber = (value: unknown): boolean => (JSON as WithRaw).isRawJSON(value);

/** A replacer for JSON.stringify, which throws for bigints: writes them as numbers. */
export const bigintsAsNumbers = (_name: string, member: unknown): unknown =>
  typeof member === 'bigint' ? rawNumber(member.toString()) : member;
