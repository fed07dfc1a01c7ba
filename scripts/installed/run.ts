/** Runs programs in a user's project, for the checks. */

import { execFileSync } from 'node:child_process';

/** Resolves with what it wrote. @throws Error when it fails, with that and what it complained of */
export function run(
  cwd: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): string {
  try {
    return execFileSync(program, args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
  } catch (failure) {
    const { stdout, stderr } = failure as { stdout?: string; stderr?: string };
    throw new Error([`${program} ${args.join(' ')}`, stdout, stderr].join('\n'), { cause: failure });
  }
}

export function expectMatch(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`expected ${String(pattern)} in:\n${text}`);
}
