/** Kernel settings of a node: overcommit, behaviour when out of memory or after a panic, and the limits of keys. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';

const wanted: Readonly<Record<string, number>> = {
  // Allocations always succeed; excess use is killed later.
  'vm/overcommit_memory': 1,
  // The OOM killer ends a process instead of the machine panicking.
  'vm/panic_on_oom': 0,
  // A machine restarts this many seconds after a kernel panic.
  'kernel/panic': 10,
  'kernel/panic_on_oops': 1,
  // Each container uses keys of root.
  'kernel/keys/root_maxkeys': 1_000_000,
  'kernel/keys/root_maxbytes': 25_000_000,
};

/**
 * Corrects settings that differ. Returns those that can't be set, as in an unprivileged container: the node works
 * nevertheless, whereas upstream gives up.
 * @param isProtected changes nothing and treats differences as errors, as `protectKernelDefaults` requires
 * @param directory `/proc/sys`
 * @throws Error listing each wrong setting
 */
export function settleKernel(isProtected: boolean, directory = '/proc/sys'): readonly string[] {
  const wrong = Object.entries(wanted).flatMap(([name, value]) => {
    const problem = settle(path.join(directory, name), name, value, isProtected);
    return problem === undefined ? [] : [problem];
  });
  if (!isProtected || wrong.length === 0) return wrong;
  throw new Error(wrong.length === 1 ? wrong[0] : `[${wrong.join(', ')}]`);
}

function settle(file: string, name: string, value: number, isProtected: boolean): string | undefined {
  try {
    const actual = Number(readFileSync(file, 'utf8'));
    if (actual === value) return undefined;
    if (isProtected) return `invalid kernel flag: ${name}, expected value: ${value}, actual value: ${actual}`;
    writeFileSync(file, String(value));
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
