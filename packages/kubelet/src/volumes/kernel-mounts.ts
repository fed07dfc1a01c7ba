/** Mounts file systems with the system's programs, since Node has no API for that. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const commandMsMax = 30_000;

/** @throws Error with the output of `mount` */
export async function mountTmpfs(directory: string, options: readonly string[]): Promise<void> {
  await command('mount', [
    '-t',
    'tmpfs',
    ...(options.length === 0 ? [] : ['-o', options.join(',')]),
    'tmpfs',
    directory,
  ]);
}

export async function mountHugepages(directory: string, pageSize: string): Promise<void> {
  await command('mount', ['-t', 'hugetlbfs', '-o', `pagesize=${pageSize}`, 'nodev', directory]);
}

/**
 * @param source as in `files.example.com:/share` @throws Error with the output of `mount`, also if mount.nfs is missing
 */
export async function mountNfs(source: string, target: string, options: readonly string[]): Promise<void> {
  const chosen = options.length === 0 ? [] : ['-o', options.join(',')];
  await command('mount', ['-t', 'nfs', ...chosen, source, target]);
}

/** @param source passed unchanged: the kernel follows links in it */
export async function mountBind(
  source: string,
  target: string,
  options: readonly string[] = [],
): Promise<void> {
  await command('mount', ['--no-canonicalize', '--bind', source, target]);
  if (options.length > 0) await command('mount', ['-o', ['remount', 'bind', ...options].join(','), target]);
}

export async function unmount(directory: string): Promise<void> {
  await command('umount', [directory]);
}

/** Returns the mount points at `directory` and below, innermost first. */
export async function mountsBelow(directory: string): Promise<readonly string[]> {
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n');
  return lines
    .map((line) => unescaped(line.split(' ')[4] ?? ''))
    .filter((point) => point === directory || point.startsWith(`${directory}/`))
    .reverse();
}

/** The kernel escapes spaces and similar characters as `\040`. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

async function command(program: string, args: readonly string[]): Promise<void> {
  try {
    await run(program, [...args], { timeout: commandMsMax });
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    throw new Error(`mount failed: ${stderr.trim() || message}`, { cause: error });
  }
}
