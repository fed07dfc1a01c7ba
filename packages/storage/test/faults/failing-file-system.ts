/** A separate file system, which the kernel makes read-only when an injected error occurs. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';

export interface FailingFileSystem {
  readonly directory: string;
  /** As an administrator would. @throws Error while a file in it is open for writing */
  makeReadOnly(): void;
  /** As the kernel does on an error; only a new mount ends that. */
  fail(): void;
  mountAnew(): void;
  remove(): void;
}

const diskBytes = 128 * 1024 * 1024;

/** @returns the reason when it is not possible here */
export function failingFileSystem(): FailingFileSystem | string {
  if (process.platform !== 'linux') return 'there is no Linux';
  if (process.getuid?.() !== 0) return 'mounts need root';
  const base = mkdtempSync(join(tmpdir(), 'coxswain-ext4-'));
  const [image, directory] = [join(base, 'image'), join(base, 'mount')];
  const run = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' });
  const mount = (): void => void run('mount', '-t', 'ext4', '-o', 'loop,errors=remount-ro', image, directory);
  const unmount = (): void => void run('umount', directory);
  const trigger = (): string => {
    const line = readFileSync('/proc/self/mounts', 'utf8')
      .split('\n')
      .find((one) => one.includes(` ${directory} `));
    return join('/sys/fs/ext4', basename(line!.split(' ')[0]!), 'trigger_fs_error');
  };
  try {
    mkdirSync(directory);
    writeFileSync(image, '');
    truncateSync(image, diskBytes);
    run('mkfs.ext4', '-q', image);
    mount();
    if (!existsSync(trigger())) throw new Error(`there is no ${trigger()}`);
  } catch (failure) {
    try {
      unmount();
    } catch {
      // It was never mounted.
    }
    rmSync(base, { recursive: true });
    return messageOf(failure);
  }
  return {
    directory,
    makeReadOnly: () => void run('mount', '-o', 'remount,ro', directory),
    fail: () => writeFileSync(trigger(), '1'),
    mountAnew() {
      unmount();
      mount();
    },
    remove() {
      unmount();
      rmSync(base, { recursive: true });
    },
  };
}
