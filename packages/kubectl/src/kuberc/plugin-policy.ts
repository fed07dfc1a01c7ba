/** Which credential plugins may be run. */
import { accessSync, constants } from 'node:fs';
import { basename, delimiter, join, normalize, resolve } from 'node:path';
import { goQuote } from '@coxswain/cobra/go-quote.ts';
import type { PluginPolicy } from '../context.ts';
import type { AllowlistEntry, Preference } from './preference.ts';

/** @throws Error if the file is contradictory */
export function pluginPolicyOf({
  credentialPluginPolicy: type = '',
  credentialPluginAllowlist: entries,
}: Preference): PluginPolicy {
  const allowed = entries?.map(commandOf);
  if (['', 'AllowAll', 'DenyAll'].includes(type)) {
    if (allowed !== undefined)
      throw new Error(
        `misconfigured credential plugin allowlist: plugin policy is ${goQuote(type)} but allowlist is non-nil`,
      );
  } else if (type === 'Allowlist') checkAllowlist(allowed);
  else throw new Error(`unknown plugin policy: ${goQuote(type)}`);
  return { type, allowed };
}

const commandOf = ({ command = '', name = '' }: AllowlistEntry): string => command || name;

function checkAllowlist(allowed: readonly string[] | undefined): void {
  if (allowed === undefined)
    throw new Error('credential plugin policy set to "Allowlist", but allowlist is unspecified');
  if (allowed.length === 0)
    throw new Error(
      'credential plugin policy set to "Allowlist", but allowlist is empty; use "DenyAll" policy instead',
    );
  for (const [at, command] of allowed.entries()) {
    if (command === '')
      throw new Error(`misconfigured credential plugin allowlist: empty allowlist entry #${at + 1}`);
    const cleaned = cleanPath(command);
    if (cleaned !== command)
      throw new Error(`non-normalized file path: ${goQuote(command)} vs ${goQuote(cleaned)}`);
  }
}

/** Like Go's filepath.Clean: removes a trailing slash. */
const cleanPath = (path: string): string => normalize(path).replace(/(?<=.)\/$/, '');

export interface ProgramSearch {
  readonly path: string;
  readonly workingDirectory: string;
}

/** @throws Error if the program may not be run */
export function checkPlugin(policy: PluginPolicy, command: string, search: ProgramSearch): void {
  const program = cleanPath(command);
  if (policy.type === 'DenyAll')
    throw new Error(`plugin ${goQuote(program)} not allowed: policy set to "DenyAll"`);
  if (policy.type !== 'Allowlist') return;
  const allowed = policy.allowed ?? [];
  if (allowed.includes(program)) return;
  const found = lookUp(program, search);
  if (found === undefined)
    throw new Error(
      `plugin path ${goQuote(program)} cannot be resolved for credential plugin allowlist check: ${missing(program)}`,
    );
  if (allowed.includes(found)) return;
  const isNamed = allowed.some((one) => basename(one) === basename(found) && lookUp(one, search) === found);
  if (!isNamed)
    throw new Error(`plugin path ${goQuote(found)} is not permitted by the credential plugin allowlist`);
}

const missing = (program: string): string =>
  program.includes('/')
    ? `exec: ${goQuote(program)}: stat ${program}: no such file or directory`
    : `exec: ${goQuote(program)}: executable file not found in $PATH`;

/** Finds a program like Go's exec.LookPath. */
function lookUp(program: string, { path, workingDirectory }: ProgramSearch): string | undefined {
  const candidates = program.includes('/')
    ? [program]
    : path.split(delimiter).map((directory) => join(directory || '.', program));
  return candidates.find((file) => {
    try {
      accessSync(resolve(workingDirectory, file), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
