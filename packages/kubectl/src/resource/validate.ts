/** Validates manifests before they are sent. Fields are validated by the server. */
import type { CommandContext } from '../context.ts';
import { ConnectionError } from '../errors.ts';

/** Undefined if validation is off. */
export function contentValidator(
  context: CommandContext,
  fieldValidation: 'Strict' | 'Warn' | 'Ignore',
): ((object: unknown, source: string) => Promise<void>) | undefined {
  if (fieldValidation === 'Ignore') return undefined;
  return async (object) => {
    const problems = problemsOf(object);
    if (problems.length > 0) throw invalid(problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`);
    await reachServer(context);
  };
}

const invalid = (text: string): Error =>
  new Error(
    `error validating data: ${text}; if you choose to ignore these errors, turn validation off with --validate=false`,
  );

/** Validation needs the server's schemas: upstream reports that if there is no server. */
async function reachServer(context: CommandContext): Promise<void> {
  try {
    await (await context.mapper()).all();
  } catch (failure) {
    if (!(failure instanceof ConnectionError)) throw failure;
    const { address } = (await (await context.connection()).rest()).transport;
    throw invalid(`failed to download openapi: ${failure.ofGet(`${address}/openapi/v2?timeout=32s`)}`);
  }
}

function problemsOf(object: unknown): string[] {
  if (typeof object !== 'object' || object === null || Array.isArray(object))
    return ['invalid object to validate'];
  const { kind, apiVersion } = object as { kind?: unknown; apiVersion?: unknown };
  return [...(apiVersion ? [] : ['apiVersion not set']), ...(kind ? [] : ['kind not set'])];
}
