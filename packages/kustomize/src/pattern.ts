/** Go's regular expressions. */
import { RE2JS } from 're2js';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';

export interface Pattern {
  /** Whether the text contains a match. */
  test(text: string): boolean;
}

/** @throws Error in Go's words: `error parsing regexp: …` */
export function compilePattern(source: string): Pattern {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source);
  } catch (failure) {
    throw new Error(messageOf(failure), { cause: failure });
  }
  return { test: (text) => compiled.matcher(text).find() };
}

/** Matches whole texts; an empty pattern matches everything. */
export const compileWholePattern = (source: string): Pattern =>
  source === '' ? { test: () => true } : compilePattern(`^(?:${source})$`);
