/** What the shell should do with the candidates; the numbers are cobra's. */
export const completionDirective = {
  default: 0,
  error: 1,
  noSpace: 2,
  noFiles: 4,
  filterFileExtension: 8,
  filterDirectories: 16,
  keepOrder: 32,
} as const;

export interface CompletionResult {
  /** A word each, or a word, a tab and what it means. */
  readonly candidates: readonly string[];
  /** Sum of {@link completionDirective}s. */
  readonly directive: number;
}

/** Of an option: whoever calls it hands over what completions of that program's commands get. */
export type FlagCompletion = (
  invocation: never,
  typed: string,
) => Promise<CompletionResult> | CompletionResult;

/** What is proposed wherever it is asked. */
type FixedCompletion = (invocation: unknown, typed: string) => CompletionResult;

/** Completes one of fixed words. */
export const oneOf =
  (words: readonly string[]): FixedCompletion =>
  (_invocation, typed) => ({
    candidates: words.filter((word) => word.startsWith(typed)),
    directive: completionDirective.noFiles,
  });

/** Files with one of these extensions. */
export const filesWith =
  (...extensions: readonly string[]): FixedCompletion =>
  () => ({ candidates: extensions, directive: completionDirective.filterFileExtension });
