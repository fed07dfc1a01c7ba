export type DryRun = 'none' | 'client' | 'server';

/** @throws Error for an invalid value */
export function readDryRun(context: { warnLog(text: string): void }, value: string): DryRun {
  if (value === 'unchanged') {
    context.warnLog('--dry-run is deprecated and can be replaced with --dry-run=client.');
    return 'client';
  }
  if (value === 'none' || value === 'client' || value === 'server') return value;
  const asBool = boolText(value);
  if (asBool === undefined) {
    throw new Error(`Invalid dry-run value (${value}). Must be "none", "server", or "client".`);
  }
  const meant = asBool ? 'client' : 'none';
  context.warnLog(
    `--dry-run=${value} is deprecated (boolean value) and can be replaced with --dry-run=${meant}.`,
  );
  return meant;
}

/** Go's strconv.ParseBool. */
export function boolText(text: string): boolean | undefined {
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
  return /^(0|f|F|false|FALSE|False)$/.test(text) ? false : undefined;
}

/** The suffix of an operation: `created (dry run)`. */
export const dryRunSuffix = (dryRun: DryRun): string =>
  dryRun === 'client' ? ' (dry run)' : dryRun === 'server' ? ' (server dry run)' : '';

/** The field validation that --validate requests from the server. */
export function readValidation(value: string): 'Strict' | 'Warn' | 'Ignore' {
  const asBool = boolText(value);
  if (asBool === true || value === 'strict') return 'Strict';
  if (asBool === false || value === 'ignore') return 'Ignore';
  if (value === 'warn') return 'Warn';
  throw new Error(
    `invalid - validate option "${value}"; must be one of: strict (or true), warn, ignore (or false)`,
  );
}
