/** Checks of manifests before they are sent. Fields are checked by the server. */
import type { CommandContext } from '../context.ts';

/** Nothing to check when validation is off. */
export function contentValidator(
  _context: CommandContext,
  fieldValidation: 'Strict' | 'Warn' | 'Ignore',
): ((object: unknown, source: string) => Promise<void>) | undefined {
  if (fieldValidation === 'Ignore') return undefined;
  return async (object) => {
    const problems = problemsOf(object);
    if (problems.length === 0) return;
    const text = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`;
    throw new Error(
      `error validating data: ${text}; if you choose to ignore these errors, turn validation off with --validate=false`,
    );
  };
}

function problemsOf(object: unknown): string[] {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return [];
  const { kind, apiVersion } = object as { kind?: unknown; apiVersion?: unknown };
  return [...(apiVersion ? [] : ['apiVersion not set']), ...(kind ? [] : ['kind not set'])];
}
