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
  /** Each is a word, or a word, a tab and a description. */
  readonly candidates: readonly string[];
  /** The sum of {@link completionDirective}s. */
  readonly directive: number;
}

/** Completes the value of an option. The caller provides what completions of that program's commands receive. */
export type FlagCompletion = (
  invocation: never,
  typed: string,
) => Promise<CompletionResult> | CompletionResult;

/** Candidates that are the same everywhere. */
type FixedCompletion = (invocation: unknown, typed: string) => CompletionResult;

/** Completes one of a fixed set of words. */
export const oneOf =
  (words: readonly string[]): FixedCompletion =>
  (_invocation, typed) => ({
    candidates: words.filter((word) => word.startsWith(typed)),
    directive: completionDirective.noFiles,
  });

/** Completes files with one of these extensions. */
export const filesWith =
  (...extensions: readonly string[]): FixedCompletion =>
  () => ({ candidates: extensions, directive: completionDirective.filterFileExtension });
